# shellcheck shell=sh
# SPDX-License-Identifier: Apache-2.0
# What `./fathom` and `./run-tests` share: Debian packages, and the release
# build in build/. Sourced, with `root` set to the source tree.
#
# Nothing is printed while all goes well, but for one line before packages are
# installed; it goes to standard error, as everything here does.
: "${root:?}" "${build:=$root/build}" "${stamp:=$build/.fathom-stamp}"

# Exit codes, in Fathom's own meaning: the user has to do something (2), or the
# sources do not build, which is a mistake of ours (70).
EXIT_USER=2
EXIT_BUG=70

# packages_listed KIND...: the packages that packages.txt names for these kinds.
packages_listed() {
    while read -r kind name program; do
        [ -z "$program" ] || ! command -v "$program" >/dev/null || continue
        case " $* " in *" $kind "*) echo "$name" ;; esac
    done <"$root/packages.txt"
}

# packages_missing KIND...: those of them that are not installed, on one line.
packages_missing() {
    wanted=$(packages_listed "$@")
    # shellcheck disable=SC2086  # one argument each
    installed=" $(dpkg-query -W -f='${db:Status-Status}=${Package} ' $wanted 2>/dev/null) "
    for name in $wanted; do
        case $installed in
        *" installed=$name "*) ;;
        *) printf '%s ' "$name" ;;
        esac
    done
}

# as_root COMMAND...: runs it as root, without ever asking for a password.
as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    else
        sudo -n -- "$@"
    fi
}

# packages_install NAME...: the lists of a fresh machine are empty, so a first
# failure is answered by fetching them.
packages_install() {
    set -- env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 \
        install -y -qq --no-install-recommends "$@"
    as_root "$@" || { as_root apt-get update -qq && as_root "$@"; }
}

# packages_ensure KIND...: installs what is missing, or says what to install.
# FATHOM_PACKAGES=skip leaves the packages to the user, as does a system
# without dpkg.
packages_ensure() {
    if [ "${FATHOM_PACKAGES-}" = skip ] || ! command -v dpkg-query >/dev/null; then
        return 0
    fi
    missing=$(packages_missing "$@")
    [ -n "$missing" ] || return 0
    if [ "$(id -u)" = 0 ] || sudo -n true 2>/dev/null; then
        echo "fathom: installing Debian packages: ${missing% }" >&2
        log=$build/packages.log
        # shellcheck disable=SC2086
        packages_install $missing >"$log" 2>&1 </dev/null && [ -z "$(packages_missing "$@")" ] &&
            return 0
        tail -n 20 "$log" | sed 's/^/fathom: apt: /' >&2
    fi
    cat >&2 <<END
fathom: these Debian packages are missing and could not be installed: ${missing% }
fathom: install them as root, then try again:
    apt-get install --no-install-recommends ${missing% }
END
    return $EXIT_USER
}

# build_logged NAME COMMAND...: silent when it works, its whole output when not.
build_logged() {
    log=$build/$1.log
    shift
    "$@" >"$log" 2>&1 </dev/null && return 0
    cat "$log" >&2
    echo "fathom: this failed: $*" >&2
    return $EXIT_BUG
}

# Ninja goes by modification times alone: a file that was put in place with an
# older date than what was built from it has to be touched.
build_touch_backdated() {
    [ -e "$stamp" ] || return 0
    (cd -- "$root" && find src include meson.build meson_options.txt VERSION \
        -type f -cnewer "$stamp" ! -newer "$stamp" -exec touch -c -- {} +)
}

build_locked() {
    up_to_date && return 0 # somebody else built while we waited for the lock
    packages_ensure build || return
    if [ -r "$stamp" ] && [ "$(cat -- "$stamp")" != "$root" ]; then
        rm -rf -- "$build/meson-info" "$build/meson-private" "$build/build.ninja"
    fi
    printf '%s\n' "$root" >"$stamp.new" || return $EXIT_USER
    build_touch_backdated
    if [ ! -e "$build/build.ninja" ]; then
        build_logged configure meson setup --buildtype release "$build" "$root" || return
    fi
    build_logged compile ninja -C "$build" fathom || return
    ln -sf fathom "$build/kubectl-fathom" && mv -- "$stamp.new" "$stamp" || return $EXIT_USER
}

# build_fathom: leaves an up-to-date build/fathom behind. Two at once take turns.
build_fathom() {
    if ! mkdir -p -- "$build" || ! : >>"$build/.lock"; then
        echo "fathom: $build: cannot be written, and Fathom is not built yet" >&2
        return $EXIT_USER
    fi
    (flock 9 && build_locked) 9>>"$build/.lock"
}
