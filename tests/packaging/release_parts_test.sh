#!/usr/bin/env bash
# Tries the quick parts of scripts/release in a small repository: what it refuses, the source archive, the bill of materials and the
# checksums; what scripts/check_versions finds; and that scripts/run builds the module of lesson pages, or says how.
set -euo pipefail

root=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../..")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
clone=$folder/clone

# The versions in a bill of materials are Debian's.
command -v dpkg-query > /dev/null || { echo "release_parts_test: skipped, because dpkg-query is not installed" && exit 77; }

fail()
{
  echo "release_parts_test: $1" >&2
  exit 1
}

# refuses SENTENCE COMMAND...: it fails, and says that.
refuses()
{
  if "${@:2}" > "$folder/said.txt" 2>&1; then fail "'${*:2}' does not fail, though it should say: $1"; fi
  grep --quiet --fixed-strings -e "$1" "$folder/said.txt" || fail "'${*:2}' does not say '$1': $(< "$folder/said.txt")"
}

mkdir -p "$clone/build"
(cd "$root" && cp --parents --recursive .gitignore CMakeLists.txt CITATION.cff README.md docs/*.md gpu/python/pyproject.toml scripts \
  third_party "$clone")
ln -s "$root/build/third_party" "$clone/build/third_party"
git -C "$clone" init --quiet
git -C "$clone" add --all
git -C "$clone" -c user.name=test -c user.email=test@localhost commit --quiet --message=test
version=$(sed -n 's/^project(slotscape VERSION \([0-9.]*\) .*/\1/p' "$clone/CMakeLists.txt")
made=$folder/made
release=("$clone/scripts/release" source --into "$made")

refuses "scripts/release $version" "${release[@]}"
refuses "This is version $version, not 99.0.0. To release 99.0.0, edit" "${release[@]}" 99.0.0
refuses "'sauce' is neither" "${release[@]}" "$version" sauce
touch "$clone/forgotten"
refuses "Files differ from the last commit" "${release[@]}" "$version"
rm "$clone/forgotten"

"${release[@]}" "$version" > "$folder/log.txt" 2>&1 || fail "it fails: $(< "$folder/log.txt")"
(cd "$made" && sha256sum --quiet --check SHA256SUMS) || fail "the checksums are wrong"
[[ $(wc --lines < "$made/SHA256SUMS") == $(($(find "$made" -type f | wc --lines) - 1)) ]] || fail "not every file has a checksum"
tar --list --file "$made/slotscape-$version.tar.gz" > "$folder/files.txt"
diff <(sed -n "s,^slotscape-$version/\(.*[^/]\)$,\1,p" "$folder/files.txt" | sort) <(git -C "$clone" ls-files | sort) > "$folder/difference.txt" ||
  fail "the source archive has other files than the commit: $(< "$folder/difference.txt")"

# What is pinned, what is found and what was made are in the bill of materials.
bill=$made/slotscape-$version.spdx.json
mapfile -t pinned < <(sed -n 's/^set(.*_hash \([0-9a-f]\{64\}\))/\1/p; s/.* DEBIAN "\?\([a-z0-9-]*\).*/\1/p' "$clone"/third_party/*.cmake)
mapfile -t pinned_versions < <(sed -n 's/^set(.*_version \([0-9.]*\))/\1/p; s/.*==\([0-9.]*\)).*/\1/p' "$clone"/third_party/*.cmake)
((${#pinned[@]} > 10 && ${#pinned_versions[@]} >= 4)) || fail "this test no longer finds what third_party pins"
for word in "${pinned[@]}" "${pinned_versions[@]}" "$(sha256sum "$made/slotscape-$version.tar.gz" | cut --characters=1-64)" fonts-dejavu-core; do
  [[ $word == libgtest-dev ]] || grep --quiet --word-regexp --fixed-strings "$word" "$bill" || fail "the bill of materials lacks $word"
done
python3 - "$bill" << 'END' || fail "the bill of materials is wrong"
import json
import sys

bill = json.load(open(sys.argv[1], encoding="utf-8"))
names = [each["SPDXID"] for each in bill["packages"]]
assert len(names) == len(set(names)), names
ends = {each[end] for each in bill["relationships"] for end in ("spdxElementId", "relatedSpdxElement")}
assert ends == {*names, "SPDXRef-DOCUMENT"}, ends ^ {*names}
assert all(each["versionInfo"] for each in bill["packages"])
END
sed -i '/^| LASzip/d' "$clone/third_party/README.md"
refuses "has no row for laszip" "$clone/scripts/sbom" "$version" "$made"

# disagrees FILE SED_COMMAND SENTENCE: with that edit, and without again.
disagrees()
{
  cp "$clone/$1" "$folder/kept"
  sed --in-place "$2" "$clone/$1"
  refuses "$1:" "$clone/scripts/check_versions"
  refuses "$3" "$clone/scripts/check_versions"
  cp "$folder/kept" "$clone/$1"
}

disagrees CITATION.cff "s/^version:.*/version: 99.0.0/" "the version is '99.0.0', and should be '$version'"
disagrees CITATION.cff "\$adate-released: 2000-01-01" "the date-released is '2000-01-01', and should be ''"
disagrees gpu/python/pyproject.toml 's/^version = .*/version = "99.0.0"/' "the version is '99.0.0'"
disagrees docs/changelog.md "s/^## Unreleased/## 99.0.0 - 2000-01-01/" "its newest version is 99.0.0"
disagrees docs/changelog.md "s/^## Unreleased/## $version/" "the section of $version needs its date"
disagrees docs/installing.md "s/slotscape-$version/slotscape-99.0.0/" "names another version"
sed --in-place "s/^## Unreleased/## $version - 2000-01-01/" "$clone/docs/changelog.md"
refuses "CITATION.cff: the date-released is ''" "$clone/scripts/check_versions"
echo 'date-released: 2000-01-01' >> "$clone/CITATION.cff"
"$clone/scripts/check_versions" > "$folder/said.txt" 2>&1 || fail "a dated version is refused: $(< "$folder/said.txt")"

git -C "$clone" checkout --quiet .
git -C "$clone" tag "v$version"
if ! grep --quiet "^## $version - " "$clone/docs/changelog.md"; then
  refuses "is tagged, but docs/changelog.md has no section" "${release[@]}" "$version"
fi

# scripts/run, where everything is compiled already: without the module, without Emscripten, and with both.
mkdir -p "$folder/bin" "$clone/build/release"
printf '#!/bin/sh\necho installed\n' > "$folder/bin/dpkg-query"
printf '#!/bin/sh\n' | tee "$folder/bin/cmake" > "$folder/bin/nothing"
printf '#!/bin/sh\necho the program, with "$@"\n' > "$clone/build/release/slotscape"
printf '#!/bin/sh\nmkdir -p "%s" && touch "%s"\n' "$clone/build/web" "$clone/build/web/lesson_page.wasm.gz" > "$clone/scripts/web"
chmod +x "$folder"/bin/* "$clone/build/release/slotscape"

run()
{
  PATH=$folder/bin:$PATH "$clone/scripts/run" --version > "$folder/said.txt" 2>&1 || fail "scripts/run fails: $(< "$folder/said.txt")"
  grep --quiet '^the program, with --version' "$folder/said.txt" || fail "scripts/run does not start the program: $(< "$folder/said.txt")"
}

ln "$folder/bin/nothing" "$folder/bin/emcc"  # has no version
run
grep --quiet 'scripts/web --beside' "$folder/said.txt" || fail "scripts/run does not say how to build the module: $(< "$folder/said.txt")"
rm "$folder/bin/emcc"
printf '#!/bin/sh\necho emcc 3.1.69\n' > "$folder/bin/emcc"
chmod +x "$folder/bin/emcc"
run
[[ -e $clone/build/web/lesson_page.wasm.gz ]] || fail "scripts/run does not build the module"
run
if grep --quiet 'scripts/web' "$folder/said.txt"; then fail "scripts/run speaks of the module that is there: $(< "$folder/said.txt")"; fi
echo "release_parts_test: passed"
