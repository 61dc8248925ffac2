# SPDX-License-Identifier: Apache-2.0
"""The static program of a release: one file that runs in a root where nothing else is.

Static archives of libyaml, xxhash, zlib and SQLite are in Debian's packages. Of cJSON there is none, so it is compiled from
the source package of the version that is installed, which apt fetches and verifies. libcurl, libmicrohttpd and GnuTLS are left
out: what needs them says so (src/base/late_library.c).
"""

import glob
import os
import shutil
import subprocess
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LINKED = ("libyaml-dev", "libcjson-dev", "libxxhash-dev", "zlib1g-dev", "libsqlite3-dev", "libc6-dev")
PLUGIN_CHECK = """apiVersion: fathom/v1
kind: ControllerCheck
metadata: {name: plugin}
spec: {controller: {plugin: ./plugin.so}, script: [{op: delete, kind: Secret, name: logs}]}
"""


def run(*arguments, **options):
    return subprocess.run(arguments, check=True, **options)


def installed_version(package):
    return subprocess.run(["dpkg-query", "-W", "-f=${Version}", package], check=True, capture_output=True,
                          text=True).stdout


def source_lists(folder):
    """The lists of packages that apt uses here, as lists of their sources."""
    os.makedirs(folder)
    for path in glob.glob("/etc/apt/sources.list.d/*.sources"):
        with open(path, encoding="utf-8") as stream:
            text = stream.read().replace("Types: deb\n", "Types: deb-src\n")
        with open(os.path.join(folder, os.path.basename(path)), "w", encoding="utf-8") as stream:
            stream.write(text)
    for path in ["/etc/apt/sources.list"] + glob.glob("/etc/apt/sources.list.d/*.list"):
        if os.path.exists(path):
            with open(path, encoding="utf-8") as stream:
                lines = [line.replace("deb ", "deb-src ", 1) for line in stream if line.startswith("deb ")]
            with open(os.path.join(folder, os.path.basename(path)), "w", encoding="utf-8") as stream:
                stream.writelines(lines)


def fetch_source(package, version, folder):
    """Debian's source, with its patches; gives its folder."""
    source_lists(os.path.join(folder, "sources"))
    for name in ("lists/partial", "cache/archives/partial", "source"):
        os.makedirs(os.path.join(folder, name))
    apt = ["apt-get", "-qq", "-o", "Dir::Etc::SourceList=/dev/null",
           "-o", f"Dir::Etc::SourceParts={folder}/sources", "-o", f"Dir::State::Lists={folder}/lists",
           "-o", f"Dir::Cache={folder}/cache", "-o", "APT::Sandbox::User="]
    run(*apt, "update")
    run(*apt, "source", f"{package}={version}", cwd=os.path.join(folder, "source"), stdout=subprocess.DEVNULL)
    return next(path for path in glob.glob(os.path.join(folder, "source", package + "-*")) if os.path.isdir(path))


def make_cjson(folder):
    """libcjson.a and its pkg-config file; gives their folder."""
    source = fetch_source("cjson", installed_version("libcjson-dev"), folder)
    place = os.path.join(folder, "cjson")
    os.makedirs(place)
    compiled = os.path.join(place, "cJSON.o")
    run("cc", "-O2", "-fPIC", "-fstack-protector-strong", "-D_FORTIFY_SOURCE=2", "-c",
        os.path.join(source, "cJSON.c"), "-o", compiled)
    run("ar", "rcs", os.path.join(place, "libcjson.a"), compiled)
    with open(os.path.join(place, "libcjson.pc"), "w", encoding="utf-8") as stream:
        stream.write("Name: libcjson\nDescription: JSON\nVersion: 1.7.15\n"
                     f"Cflags: -I/usr/include -I/usr/include/cjson\nLibs: -L{place} -lcjson\n")
    return place


def build(folder, homepage):
    """The program, in build-static/."""
    place = os.path.join(ROOT, "build-static")
    shutil.rmtree(place, ignore_errors=True)  # the folder of cJSON is another one each time
    environment = {**os.environ, "PKG_CONFIG_PATH": make_cjson(folder)}
    run("meson", "setup", "--buildtype", "release", "--prefix", "/usr", "-Dtests=disabled", "-Dstatic=true",
        f"-Dhomepage={homepage}", place, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)
    run("ninja", "-C", place, "-j2", "fathom", stdout=subprocess.DEVNULL)
    return os.path.join(place, "fathom")


def in_root(root, *arguments):
    """Runs the program in a root of its own, as whoever we are."""
    own = [] if os.geteuid() == 0 else ["unshare", "--user", "--map-root-user"]
    return subprocess.run([*own, "chroot", root, "/fathom", *arguments], env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}, cwd="/", text=True, check=False,
                          stdin=subprocess.DEVNULL, capture_output=True)


def fill(root, program):
    """An empty root with the program and something to read."""
    shutil.copy(program, os.path.join(root, "fathom"))
    for name in ("c03-spread-conflict", "controller-machine", "full"):
        shutil.copytree(os.path.join(ROOT, "examples", name), os.path.join(root, name))
    with open(os.path.join(root, "plugin.so"), "w", encoding="utf-8"):
        pass
    with open(os.path.join(root, "plugin.yaml"), "w", encoding="utf-8") as stream:
        stream.write(PLUGIN_CHECK)


def check(program):
    """Does it run where only itself and manifests are? And does it say what it has not?"""
    broken = "/c03-spread-conflict/broken.yaml"
    cases = (
        (("version",), 0, "fathom "),
        (("verify", broken), 1, "VIOLATED"),
        (("verify", broken, "-o", "json"), 1, '"verdict"'),
        (("explain", "/report.json"), 0, "podsSchedulable"),
        (("fix", broken, "--jobs", "1", "--allow", "constraint"), 0, "Patch 1"),
        (("decide", "scheduler", "-f", "/full"), 0, "node"),
        (("controller", "/controller-machine/broken-hasty.yaml"), 1, "violated"),
        (("controller", "/plugin.yaml"), 2, "the static program loads no libraries"),
        (("apiserver", "--memory"), 2, "the static program loads no libraries"),
        (("trace", "serve"), 2, "the static program loads no libraries"),
    )
    with tempfile.TemporaryDirectory() as root:
        fill(root, program)
        for arguments, code, text in cases:
            done = in_root(root, *arguments)
            said = done.stdout + done.stderr
            if done.returncode != code or text not in said:
                raise SystemExit(f"fathom {' '.join(arguments)} in an empty root: exit code {done.returncode}\n{said}")
            if "json" in arguments:
                with open(os.path.join(root, "report.json"), "w", encoding="utf-8") as stream:
                    stream.write(done.stdout)


def make(version, output, homepage):
    """Gives the path of the program, or None if it cannot be made here."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            built = build(folder, homepage)
        except subprocess.CalledProcessError as error:
            print(f"no static program: {' '.join(map(str, error.cmd[:4]))} ... failed")
            return None
        path = os.path.join(output, f"fathom-{version}-linux-amd64-static")
        run("strip", "-o", path, built)
    check(path)
    return path
