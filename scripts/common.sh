# Shared by the scripts in this folder. Source it; it sets `root` to the repository.
# shellcheck shell=bash disable=SC2034

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# ccache finds what was compiled in another clone of the repository: paths are relative to this one's folder.
export CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=1
export CCACHE_SLOPPINESS=pch_defines,time_macros,locale  # the first two for precompiled headers

build_packages=(
  g++ cmake ninja-build ccache pkg-config python3 python3-venv
  libglfw3-dev libglm-dev libtbb-dev libcli11-dev nlohmann-json3-dev libfmt-dev libstb-dev libzip-dev
  libutf8proc-dev libwebsockets-dev
  libegl-dev libgl-dev libegl-mesa0 libgl1-mesa-dri
  libabsl-dev libcuckoo-dev libnanoflann-dev
  libgtest-dev libgmock-dev
  fonts-roboto-unhinted fonts-dejavu-core
)
test_packages=(
  gettext xvfb xdotool imagemagick python3-dev python3-numpy
  xserver-xorg-video-dummy x11-xserver-utils openbox
  mmdebstrap debian-archive-keyring
)

say()
{
  printf '\n== %s\n' "$*"
}

fail()
{
  printf '\nslotscape: %s\n' "$*" >&2
  exit 1
}

# The version that the build files name.
project_version()
{
  sed --quiet 's/^project(slotscape VERSION \([^ ]*\).*/\1/p' "$root/CMakeLists.txt"
}

# as_root COMMAND...: runs it directly, or with sudo.
as_root()
{
  if [[ $EUID -eq 0 ]]; then
    "$@"
  elif command -v sudo > /dev/null; then
    sudo "$@"
  else
    fail "Installing packages needs root, and sudo is not available. Run this as root: $*"
  fi
}

is_installed()
{
  [[ $(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2> /dev/null) == installed ]]
}

# install_packages PACKAGE...: installs the missing ones, and lists them.
install_packages()
{
  if ! command -v dpkg-query > /dev/null || ! command -v apt-get > /dev/null; then
    say "This is not Debian or Ubuntu, so nothing was installed. Needed, by their Debian names: $*"
    return
  fi
  local missing=() package
  for package in "$@"; do
    is_installed "$package" || missing+=("$package")
  done
  if [[ ${#missing[@]} -eq 0 ]]; then
    say "All packages are already installed"
    return
  fi
  say "Installing packages: ${missing[*]}"
  as_root apt-get update --quiet || printf 'apt-get update failed; continuing with the existing package lists\n' >&2
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install --yes --quiet --no-install-recommends "${missing[@]}" ||
    fail "Could not install the packages; see the output of apt-get above. (On Ubuntu, several of them are in 'universe'.)"
}

# Whether there is an Emscripten whose standard library has C++20.
has_emscripten()
{
  local version
  version=$(emcc --version 2> /dev/null | sed -n '1s/.* \([0-9]\+\.[0-9.]*\).*/\1/p') || return 1
  [[ -n $version && $(printf '%s\n' 3.1.50 "$version" | sort --version-sort | head --lines=1) == 3.1.50 ]]
}

# The module of lesson pages, without which an installed program cannot export lessons.
lesson_module=$root/build/web/lesson_page.wasm.gz

# Builds the module, unless it is there.
need_lesson_module()
{
  [[ -e $lesson_module ]] || "$root/scripts/web" --beside ||
    fail "Could not build the module of lesson pages, which belongs to the program: see the output of scripts/web above"
}

find_nvcc()
{
  local candidate
  for candidate in "$(command -v nvcc || true)" "${CUDACXX:-}" "${CUDA_HOME:-}/bin/nvcc" "${CUDA_PATH:-}/bin/nvcc" \
    /usr/local/cuda*/bin/nvcc /opt/cuda/bin/nvcc; do
    if [[ -x $candidate ]]; then
      printf '%s\n' "$candidate"
      return
    fi
  done
}

has_nvidia_gpu()
{
  nvidia-smi -L > /dev/null 2>&1 || /usr/lib/wsl/lib/nvidia-smi -L > /dev/null 2>&1 || [[ -e /proc/driver/nvidia/version ]] ||
    grep -qs 0x10de /sys/class/drm/card*/device/vendor
}

say_about_cuda()
{
  local nvcc
  nvcc=$(find_nvcc)
  if [[ -n $nvcc ]] && { has_nvidia_gpu || [[ ${SLOTSCAPE_CUDA:-} == ON ]]; }; then
    say "CUDA toolkit: $nvcc"
  elif [[ -n $nvcc ]]; then
    say "A CUDA toolkit, but no NVIDIA GPU: the tables will run on the CPU (SLOTSCAPE_CUDA=ON compiles for both)"
  elif has_nvidia_gpu; then
    say "Found an NVIDIA GPU, but no CUDA toolkit: the tables will run on the CPU"
    printf 'To use the GPU, install CUDA 12 or newer from https://developer.nvidia.com/cuda-downloads\n'
    printf "(package 'cuda-toolkit') and run this again. If it is not under /usr/local, set CUDA_HOME.\n"
  else
    say "No NVIDIA GPU and no CUDA toolkit: the tables will run on the CPU"
  fi
}

# configure PRESET: prints a summary. The words in SLOTSCAPE_CMAKE_ARGUMENTS are passed to cmake, and SLOTSCAPE_CUDA where
# the preset leaves the choice.
configure()
{
  say "Configuring build/$1"
  local arguments=()
  if [[ -n ${SLOTSCAPE_CUDA:-} && $1 == release ]]; then arguments+=("-DSLOTSCAPE_CUDA=$SLOTSCAPE_CUDA"); fi
  read -ra arguments <<< "${arguments[*]} ${SLOTSCAPE_CMAKE_ARGUMENTS:-}"
  (cd "$root" && cmake --preset "$1" "${arguments[@]}")
}

# build PRESET TARGET...
build()
{
  local preset=$1
  shift
  say "Building build/$preset: $*"
  (cd "$root" && cmake --build --preset "$preset" --parallel "$(jobs_that_fit)" --target "$@")
}

# get_debian_sources FOLDER PACKAGE/SUITE...: the sources of packages as their authors released them, unpacked there.
get_debian_sources()
{
  local folder=$1 wanted
  shift
  rm -rf "$folder"
  mkdir -p "$folder/lists/partial" "$folder/cache/archives/partial"
  for wanted in "$@"; do
    printf 'deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian %s main\n' "${wanted#*/}"
  done | sort --unique > "$folder/sources.list"
  local apt=(apt-get --quiet=2 -o "Dir::Etc::sourcelist=$folder/sources.list" -o Dir::Etc::sourceparts=/dev/null
    -o "Dir::State::lists=$folder/lists" -o "Dir::Cache=$folder/cache" -o APT::Sandbox::User=root)
  "${apt[@]}" update
  (cd "$folder" && "${apt[@]}" source --download-only "$@" > /dev/null)
  local archive
  for archive in "$folder"/*.orig.tar.*; do
    tar --extract --file "$archive" --directory "$folder"
  done
}

# compile_library FOLDER SOURCES OPTION...: installs a static library into FOLDER/libraries.
compile_library()
{
  local name
  name=$(basename "$2")
  printf '%s\n' "$name"
  {
    cmake -S "$2" -B "$1/build/$name" -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF \
      -DCMAKE_POSITION_INDEPENDENT_CODE=ON -DCMAKE_INSTALL_PREFIX="$1/libraries" -DCMAKE_INSTALL_LIBDIR=lib \
      -DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache "${@:3}" &&
      cmake --build "$1/build/$name" --target install
  } > "$1/$name.txt" 2>&1 || fail "Could not compile $name: $(tail --lines=20 "$1/$name.txt")"
}

# copy_licences FOLDER PACKAGE...: of what is linked statically, one file a package.
copy_licences()
{
  local package
  mkdir -p "$1"
  for package in "${@:2}"; do
    cp "/usr/share/doc/$package/copyright" "$1/$package"
  done
}

# A C++20 or CUDA compiler takes up to 1.5 GiB.
jobs_that_fit()
{
  local memory_kib processors
  memory_kib=$(awk '/^MemAvailable/ { print $2 }' /proc/meminfo)
  processors=$(nproc)
  local fitting=$((memory_kib / 1572864))
  if ((fitting < 1)); then fitting=1; fi
  printf '%d\n' $((fitting < processors ? fitting : processors))
}
