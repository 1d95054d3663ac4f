slotscape_find(benchmark DEBIAN libbenchmark-dev CONFIG benchmark TARGET benchmark::benchmark_main
               MODULE benchmark_main HEADER benchmark/benchmark.h LIBRARY benchmark_main)
