slotscape_find(googletest DEBIAN "libgtest-dev libgmock-dev" CONFIG GTest TARGET GTest::gmock_main MODULE gmock_main)
include(GoogleTest)
