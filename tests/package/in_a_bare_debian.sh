#!/usr/bin/env bash
# in_a_bare_debian.sh SOURCE BUILD WORK: makes the Debian packages of BUILD, installs them in a Debian that has nothing
# else, which debootstrap makes in WORK, and uses them: the program, the Python package, the libraries.
set -euo pipefail
source=$1 build=$2 work=$3

skip() { printf 'skipped: %s\n' "$*"; exit 77; }
say() { printf '== %4d s  %s\n' "$SECONDS" "$*"; }

((EUID == 0)) || skip "only root can run debootstrap"
for tool in debootstrap dpkg-shlibdeps; do
  command -v "$tool" >/dev/null || skip "there is no $tool; packages-dev.txt and packages-extra.txt have its package"
done
unshare --mount --pid --fork true || skip "this machine allows no namespace of mounts"
# The archive that this machine itself takes, and its release.
# shellcheck source=/dev/null
suite=$(. /etc/os-release && printf '%s' "${VERSION_CODENAME:-}")
# shellcheck disable=SC2016  # apt-get expands
site=$(apt-get indextargets --format '$(SITE)' 'Identifier: Packages' "Codename: $suite" 'Component: main' | head -n 1)
[[ -n $site ]] || skip "apt's sources have no main component of $suite"

rm -rf "$work"
mkdir -p "$work"
root=$work/root
say "debootstrap $suite"
debootstrap --variant=minbase "$suite" "$root" "$site" >"$work/debootstrap.log" 2>&1 ||
  skip "debootstrap failed, $work/debootstrap.log has the reason: $(tail -n 1 "$work/debootstrap.log")"

say "cpack"
cpack --config "$build/CPackConfig.cmake" -B "$work/packages" >"$work/cpack.log" 2>&1 ||
  { cat "$work/cpack.log"; exit 1; }
mkdir "$root/try"
cp "$work"/packages/*.deb "$root/try"
cp -r "$source/tests/package/consumer" "$root/try"

cat >"$root/try/use" <<'USE'
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
mount -t proc proc /proc
cd /try
install() { apt-get -qq -y --no-install-recommends install "$@" >apt.log 2>&1 || { cat apt.log; exit 1; }; }
start=$SECONDS
say() { printf '== %4d s  %s\n' $((SECONDS - start)) "$*"; }

say "apt install scree"
install ./scree_*.deb
scree --version
say "scree run"
scree run /usr/share/scree/scenes/bouncing.yaml --no-pictures
scree info out/bouncing
gzip -dc /usr/share/man/man1/scree.1.gz | grep '^\.SH NAME'
bash -c '. /usr/share/bash-completion/completions/scree; COMP_WORDS=(scree che) COMP_CWORD=1; _scree scree che scree
  [[ ${COMPREPLY[*]} == check ]]'
say "apt install python3-scree"
install ./python3-scree_*.deb
python3 -B -c 'import scree
sim = scree.Simulation("/usr/share/scree/scenes/incline.yaml")
sim.step(10)
assert sim.met
assert scree.open("out/bouncing").status == "done"'
say "apt install scree-dev"
install ./scree-dev_*.deb g++ cmake make
cmake -S consumer -B build
cmake --build build
build/consumer
if compgen -G './scree-doc_*.deb' >/dev/null; then
  install ./scree-doc_*.deb
  test -f /usr/share/doc/scree/html/index.html
fi
say "all of it removed again"
apt-get -qq -y purge '^scree' python3-scree
test ! -e /usr/share/scree
USE
unshare --mount --pid --fork chroot "$root" bash /try/use
say "done"
rm -rf "$root"
