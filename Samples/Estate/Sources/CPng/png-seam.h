#include <png.h>

// Macros that Swift can't import.
static const png_uint_32 PNG_SEAM_VERSION = PNG_IMAGE_VERSION;
static const png_uint_32 PNG_SEAM_RGBA = PNG_FORMAT_RGBA;
