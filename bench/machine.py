"""What the figures were measured on."""
import datetime
import os
import platform
import subprocess


def _first(path, key):
    try:
        with open(path) as file:
            return next((line.split(":", 1)[1].strip() for line in file if line.startswith(key)), "")
    except OSError:
        return ""


def _sysfs(path):
    try:
        with open(path) as file:
            return file.read().strip()
    except OSError:
        return "unknown"


def _commit():
    found = subprocess.run(["git", "describe", "--always", "--dirty"], capture_output=True, text=True)
    return found.stdout.strip() or "unknown"


def facts():
    kib = int(_first("/proc/meminfo", "MemTotal").split()[0] or 0)
    return {"cpu": _first("/proc/cpuinfo", "model name") or platform.machine(), "cores": os.cpu_count(),
            "memory_gib": round(kib / 2**20, 1), "l2": _sysfs("/sys/devices/system/cpu/cpu0/cache/index2/size"),
            "l3": _sysfs("/sys/devices/system/cpu/cpu0/cache/index3/size"),
            "large_pages": _sysfs("/sys/kernel/mm/transparent_hugepage/enabled"), "kernel": platform.release(),
            "python": platform.python_version(), "date": datetime.date.today().isoformat(), "commit": _commit(),
            "load_before": round(os.getloadavg()[0], 2)}


def sentence(machine):
    return (f"{machine['cpu']}, {machine['cores']} cores, {machine['memory_gib']} GiB, L2 {machine['l2']}, L3 {machine['l3']}, "
            f"Linux {machine['kernel']}, {machine['date']}, commit {machine['commit']}, load before {machine['load_before']}")
