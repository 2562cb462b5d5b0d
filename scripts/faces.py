#!/usr/bin/python3
"""faces: the two faces of the pages, subset from the npm registry's packages into internal/web/assets/vendor/faces.

Needs npm, fonttools and brotli (Debian: fonttools, python3-brotli). "Source" is a reserved font name, so a subset has to
carry another: the faces are Brenner Serif and Brenner Sans, in their name tables too. Their licences come along.
"""
import pathlib
import shutil
import subprocess
import tarfile
import tempfile

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

SERIF = "@fontsource-variable/source-serif-4@5.3.1"
SANS = "inter-ui@4.1.1"
OUT = pathlib.Path(__file__).parent.parent / "internal/web/assets/vendor/faces"

LATIN = [*range(0x20, 0x7F), *range(0xA0, 0x100), 0x131, 0x152, 0x153, 0x160, 0x161, 0x178, 0x17D, 0x17E, 0x2C6, 0x2DA, 0x2DC,
         *range(0x2000, 0x2070), 0x20AC, 0x2122]
GREEK = [*range(0x370, 0x400)]
SIGNS = [*map(ord, "←↑→↓↔↗↵⇒±×−≈≠≤≥∅∈∞√∑∂·∙⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻₀₁₂₃₄₅₆₇₈₉✓✗✕●○■□◆◇▲▼⌘")]
FEATURES = ["kern", "liga", "calt", "ccmp", "locl", "mark", "mkmk", "tnum", "pnum", "lnum", "case", "sups", "subs", "cv11", "frac"]


def fetch(package, into):
    """fetch unpacks a package of the registry."""
    subprocess.run(["npm", "pack", "--silent", package], cwd=into, check=True, stdout=subprocess.DEVNULL)
    archive = next(into.glob("*.tgz"))
    with tarfile.open(archive) as tar:
        tar.extractall(into)
    archive.unlink()
    return into / "package"


def make(source, name, family, axes, letters):
    """make writes a face with these axes and letters under its own name."""
    font = TTFont(source)
    options = Options()
    options.layout_features = FEATURES
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
    options.notdef_outline = True
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=letters)
    subsetter.subset(font)
    font = instancer.instantiateVariableFont(font, axes)
    style = "Italic" if "italic" in name else "Regular"
    for record in font["name"].names:
        text = {1: family, 2: style, 3: f"{family} {style}", 4: f"{family} {style}", 6: f"{family.replace(' ', '')}-{style}"}
        if record.nameID in text:
            record.string = text[record.nameID]
    font.flavor = "woff2"
    font["head"].modified = font["head"].created
    font.recalcTimestamp = False
    font.save(OUT / name)
    print(name, (OUT / name).stat().st_size, "bytes,", len(font.getBestCmap()), "letters")


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as a, tempfile.TemporaryDirectory() as b:
        serif, sans = fetch(SERIF, pathlib.Path(a)), fetch(SANS, pathlib.Path(b))
        files = serif / "files"
        weights = (400, 700)
        make(files / "source-serif-4-latin-opsz-normal.woff2", "serif.woff2", "Brenner Serif", {"wght": weights, "opsz": (8, 40)}, LATIN + SIGNS)
        make(files / "source-serif-4-greek-wght-normal.woff2", "serif-greek.woff2", "Brenner Serif", {"wght": weights}, GREEK)
        make(files / "source-serif-4-latin-ext-wght-normal.woff2", "serif-names.woff2", "Brenner Serif", {"wght": weights}, range(0x100, 0x180))
        make(files / "source-serif-4-latin-opsz-italic.woff2", "serif-italic.woff2", "Brenner Serif", {"wght": 400, "opsz": 14}, LATIN + SIGNS)
        make(sans / "variable/InterVariable.woff2", "sans.woff2", "Brenner Sans", {"wght": weights, "opsz": 14}, LATIN + GREEK + SIGNS)
        notice = "Copyright 2014 - 2021 Adobe Systems Incorporated (http://www.adobe.com/), with Reserved Font Name 'Source'.\n\n"
        (OUT / "LICENSE-serif.txt").write_text(notice + (serif / "LICENSE").read_text())
        shutil.copyfile(sans / "LICENSE.txt", OUT / "LICENSE-sans.txt")


if __name__ == "__main__":
    main()
