# SPDX-License-Identifier: Apache-2.0
"""What benchmarks know of the program that they measure."""
import functools
import subprocess


@functools.cache
def without_trial(fathom):
    """Arguments with which verify does nothing after its verdict; an older build, which may
    be the reference, does nothing then anyway."""
    text = subprocess.run([fathom, "help", "verify"], stdout=subprocess.PIPE, text=True, check=True)
    return ["--trial", "0"] if "--trial " in text.stdout else []
