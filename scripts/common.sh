# What scripts/run and scripts/test share. Sourced; sets `root` to the repository.
# shellcheck shell=bash disable=SC2034

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

build_packages=(
  g++ cmake ninja-build ccache pkg-config python3 python3-venv
  libglfw3-dev libimgui-dev libglm-dev libtbb-dev libcli11-dev nlohmann-json3-dev libfmt-dev libstb-dev
  libegl-dev libgl-dev libegl-mesa0 libgl1-mesa-dri
  libgtest-dev libgmock-dev libbenchmark-dev
  fonts-roboto-unhinted
)
test_packages=(xvfb xauth xdotool x11-utils imagemagick)

say()
{
  printf '\n== %s\n' "$*"
}

fail()
{
  printf '\nslotscape: %s\n' "$*" >&2
  exit 1
}

# as_root COMMAND...: directly, or with sudo.
as_root()
{
  if [[ $EUID -eq 0 ]]; then
    "$@"
  elif command -v sudo > /dev/null; then
    sudo "$@"
  else
    fail "installing packages needs root, and there is no sudo; as root, run: $*"
  fi
}

is_installed()
{
  [[ $(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2> /dev/null) == installed ]]
}

# install_packages PACKAGE...: installs those that are missing, and says which.
install_packages()
{
  if ! command -v dpkg-query > /dev/null || ! command -v apt-get > /dev/null; then
    say "Not a Debian or Ubuntu system: nothing is installed. These are needed, by their Debian names: $*"
    return
  fi
  local missing=() package
  for package in "$@"; do
    is_installed "$package" || missing+=("$package")
  done
  if [[ ${#missing[@]} -eq 0 ]]; then
    say "All packages are installed"
    return
  fi
  say "Installing packages: ${missing[*]}"
  as_root apt-get update --quiet || printf 'apt-get update failed; going on with the package lists that are here\n' >&2
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install --yes --quiet --no-install-recommends "${missing[@]}" ||
    fail "the packages could not be installed; see the messages of apt-get above (on Ubuntu, several of them are in 'universe')"
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
  nvidia-smi -L > /dev/null 2>&1 || [[ -e /proc/driver/nvidia/version ]] ||
    grep -qs 0x10de /sys/class/drm/card*/device/vendor
}

say_about_cuda()
{
  local nvcc
  nvcc=$(find_nvcc)
  if [[ -n $nvcc ]]; then
    say "CUDA toolkit: $nvcc"
  elif has_nvidia_gpu; then
    say "There is an NVIDIA GPU, but no CUDA toolkit: going on with the CPU"
    printf 'To use the GPU, install CUDA 12 or newer from https://developer.nvidia.com/cuda-downloads\n'
    printf "(package 'cuda-toolkit'), and run this again. If it is somewhere else than /usr/local, set CUDA_HOME.\n"
  else
    say "No NVIDIA GPU and no CUDA toolkit: the tables run on the CPU"
  fi
}

# configure PRESET: prints the summary. SLOTSCAPE_CMAKE_ARGUMENTS (words) go to cmake.
configure()
{
  say "Configuring build/$1"
  local arguments=()
  read -ra arguments <<< "${SLOTSCAPE_CMAKE_ARGUMENTS:-}"
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

# Compilers of C++20 and CUDA take up to 1.5 GiB each.
jobs_that_fit()
{
  local memory_kib processors
  memory_kib=$(awk '/^MemAvailable/ { print $2 }' /proc/meminfo)
  processors=$(nproc)
  local fitting=$((memory_kib / 1572864))
  if ((fitting < 1)); then fitting=1; fi
  printf '%d\n' $((fitting < processors ? fitting : processors))
}
