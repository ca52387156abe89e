"""Type-checks a target of the package by the modules of a build."""

import re
import subprocess

from lib.command import ROOT


def folder_of(target):
    """The folder of a target, which is an entry of what `swift package dump-package` prints."""
    return ROOT / (target.get("path") or f"Sources/{target['name']}")


def source_files(target):
    return sorted(folder_of(target).rglob("*.swift"))


def module_maps(build):
    """The options by which the compiler finds the C modules of the package and of what it depends on."""
    checkouts = build.parent.parent / "checkouts"
    found = [*ROOT.glob("Sources/**/module.modulemap"), *ROOT.glob("Plugins/**/module.modulemap"),
             *build.glob("*.build/module.modulemap"), *checkouts.glob("*/Sources/*/module.modulemap"),
             *checkouts.glob("*/Sources/*/include/module.modulemap")]
    return [word for each in found for word in ("-Xcc", f"-fmodule-map-file={each}")]


def typecheck(target, build, primary, words=(), cache=None):
    """Type-checks some files of a target, with the warnings as errors, and returns whether they compile.

    Headers from another folder need a module cache of their own: Clang does not tell modules apart by it."""
    files = source_files(target)
    kinds = [setting["kind"] for setting in target["settings"]]
    words = [*words, *(word for file in files for word in (*["-primary-file"] * (file in primary), file))]
    words += [word for kind in kinds for each in kind.get("enableUpcomingFeature", {}).values()
              for word in ("-enable-upcoming-feature", each)]
    words += ["-strict-memory-safety"] * any("strictMemorySafety" in kind for kind in kinds)
    words += ["-parse-as-library"] * all(file.name != "main.swift" for file in files)
    # SwiftPM derives the package's name from the folder, for declarations with `package` access.
    words += ["-module-name", re.sub(r"\W", "_", target["name"]), "-package-name", re.sub(r"\W", "_", ROOT.name.lower())]
    return subprocess.run(["swiftc", "-frontend", "-typecheck", *words, *module_maps(build), "-swift-version", "6",
                           "-warnings-as-errors", "-I", build / "Modules",
                           "-module-cache-path", cache or build / "ModuleCache"], cwd=ROOT).returncode == 0
