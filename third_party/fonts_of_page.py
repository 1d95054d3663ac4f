"""Writes the parts of two fonts that a page has: fonts_of_page.py UI UI_PART SIGNS SIGNS_PART

Dear ImGui draws outlines alone, character by character: hints, ligatures and kerning are left out.
"""
import sys

from fontTools.subset import Options, Subsetter, load_font, save_font

# Latin, Greek and Cyrillic letters, raised and lowered ones, punctuation, arrows, mathematics, and the sign for what is missing.
UI = [(0x20, 0x24F), (0x2B0, 0x2FF), (0x370, 0x52F), (0x1D2C, 0x1D6A), (0x1E00, 0x1EFF), (0x2000, 0x22FF), (0xFFFD, 0xFFFD)]
# Mathematics, arrows, shapes and rarer Latin letters.
SIGNS = [(0x180, 0x24F), (0x1E00, 0x1EFF), (0x2000, 0x214F), (0x2150, 0x23FF), (0x2500, 0x27FF), (0x2900, 0x297F), (0x2A00, 0x2AFF)]


def write_part(file, part, ranges, without=frozenset()):
    """Returns the characters of the part."""
    options = Options(hinting=False, layout_features=[])
    options.drop_tables += ["GDEF", "GPOS", "GSUB", "MATH", "gasp", "kern", "FFTM"]
    font = load_font(file, options)
    wanted = {code for first, last in ranges for code in range(first, last + 1)}
    characters = (wanted & set(font.getBestCmap())) - without
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=characters)
    subsetter.subset(font)
    save_font(font, part, options)
    return characters


ui, ui_part, signs, signs_part = sys.argv[1:]
write_part(signs, signs_part, SIGNS, write_part(ui, ui_part, UI))
