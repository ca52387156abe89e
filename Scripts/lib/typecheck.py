"""Type-checks a target of the package by the modules of a build."""

import re
import subprocess

from lib.command import ROOT


def source_files(target):
    """The Swift files of a target, which is an entry of what `swift package dump-package` prints."""
    return sorted((ROOT / (target.get("path") or f"Sources/{target['name']}")).rglob("*.swift"))


def typecheck(target, build, primary, words=(), cache=None):
    """Type-checks some files of a target, with the warnings as errors, and returns whether they compile.

    Headers from another folder need a module cache of their own: Clang does not tell modules apart by it."""
    files = source_files(target)
    maps = [*ROOT.glob("Sources/**/module.modulemap"), *ROOT.glob("Plugins/**/module.modulemap"), *build.glob("*.build/module.modulemap"),
            *build.parent.parent.glob("checkouts/*/Sources/*/module.modulemap")]
    kinds = [setting["kind"] for setting in target["settings"]]
    words = [*words, *(word for file in files for word in (*["-primary-file"] * (file in primary), file))]
    words += [word for kind in kinds for each in kind.get("enableUpcomingFeature", {}).values()
              for word in ("-enable-upcoming-feature", each)]
    words += ["-strict-memory-safety"] * any("strictMemorySafety" in kind for kind in kinds)
    words += ["-parse-as-library"] * all(file.name != "main.swift" for file in files)
    words += [word for path in maps for word in ("-Xcc", f"-fmodule-map-file={path}")]
    # SwiftPM derives the package's name from the folder, for declarations with `package` access.
    return subprocess.run(["swiftc", "-frontend", "-typecheck", *words, "-module-name", re.sub(r"\W", "_", target["name"]), "-package-name",
                           re.sub(r"\W", "_", ROOT.name.lower()), "-swift-version", "6", "-warnings-as-errors",
                           "-I", build / "Modules", "-module-cache-path", cache or build / "ModuleCache"], cwd=ROOT).returncode == 0
