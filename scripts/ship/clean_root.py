# SPDX-License-Identifier: Apache-2.0
"""Makes a minimal Debian in a folder, in which packages are tested without the sources."""
import os
import re
import shlex
import shutil
import subprocess

KEPT_VARIABLES = re.compile("PIP_.*|https?_proxy|no_proxy", re.IGNORECASE)


def why_not():
    """Returns why no root can be made on this machine; "" if one can."""
    can = os.geteuid() == 0 and shutil.which("debootstrap") is not None
    return "" if can else "clean roots need root and debootstrap (apt-get install debootstrap)"


class CleanRoot:
    """A minimal Debian in a folder, with this machine's certificates and pip settings. A later run uses the same
    Debian, with an empty /try."""

    def __init__(self, suite, work, packages):
        self.folder = work / suite
        if not (self.folder / "etc/complete").exists():
            shutil.rmtree(self.folder, ignore_errors=True)
            mirror = subprocess.run("apt-get indextargets --format '$(REPO_URI)' | head -1", shell=True, check=True,
                                    capture_output=True, text=True).stdout.strip()
            subprocess.run(["debootstrap", "--variant=minbase", suite, self.folder, mirror], check=True,
                           stdout=subprocess.DEVNULL)
            (self.folder / "etc/complete").touch()
        shutil.rmtree(self.folder / "try", ignore_errors=True)
        (self.folder / "try").mkdir()
        self.shell("apt-get update && apt-get install -y --no-install-recommends " + packages)
        shutil.copy("/etc/ssl/certs/ca-certificates.crt", self.folder / "etc/ssl/certs/ca-certificates.crt")

    def run(self, line):
        """Runs a shell command in /try of the root. Only this machine's variables for pip and proxies are passed on."""
        kept = {name: value for name, value in os.environ.items() if KEPT_VARIABLES.fullmatch(name)}
        variables = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LC_ALL": "C.UTF-8",
                     "DEBIAN_FRONTEND": "noninteractive", **kept}
        inside = f"mount -t proc proc {self.folder}/proc && exec chroot {self.folder} sh -c {shlex.quote('cd /try && ' + line)}"
        return subprocess.run(["unshare", "--mount", "sh", "-c", inside], env=variables, capture_output=True, text=True)

    def shell(self, line):
        """Returns the output of a shell command. Raises RuntimeError if it fails."""
        result = self.run(line)
        if result.returncode != 0:
            raise RuntimeError(f"{self.folder.name}: {line}\n{result.stdout[-2000:]}{result.stderr[-2000:]}")
        return result.stdout

    def bring(self, files, folder=""):
        """Copies files into /try, or a folder there."""
        target = self.folder / "try" / folder
        target.mkdir(parents=True, exist_ok=True)
        for file in files:
            shutil.copy(file, target)

    def environment(self, torch, python="python3"):
        """Returns the folder of an environment of a Python with a LibTorch version. Makes it at the first call."""
        folder = f"/env/{torch}" if python == "python3" else f"/env/{torch}-{os.path.basename(python)}"
        self.shell(f"[ -e {folder}/complete ] || ({python} -m venv {folder} && "
                   f"{folder}/bin/pip install --no-cache-dir torch=={torch} numpy && touch {folder}/complete)")
        return folder
