import Interception

/// The media types whose content is already compressed.
enum CompressedMedia {
  private static let kinds: Set<String> = ["image", "video", "audio"]

  // These image and audio types hold plain text or raw samples.
  private static let plain: Set<String> = [
    "image/svg+xml", "image/bmp", "image/x-ms-bmp", "image/x-portable-pixmap", "audio/wav", "audio/x-wav",
    "audio/vnd.wave", "audio/l16", "audio/midi",
  ]

  private static let types: Set<String> = [
    "application/zip", "application/gzip", "application/x-gzip", "application/zlib", "application/zstd",
    "application/x-brotli", "application/x-bzip", "application/x-bzip2", "application/x-xz",
    "application/x-lzma", "application/x-7z-compressed", "application/vnd.rar",
    "application/x-rar-compressed",
    "application/x-compress", "application/x-compressed", "application/x-zip-compressed",
    "application/java-archive", "application/vnd.android.package-archive", "application/pdf",
    "application/ogg", "application/mp4", "application/vnd.apache.parquet", "font/woff", "font/woff2",
  ]

  private static let families = [
    "application/vnd.openxmlformats-officedocument.", "application/vnd.oasis.opendocument.",
  ]

  /// Returns whether content of a media type is already compressed.
  ///
  /// - Parameter contentType: The value of a `Content-Type` field, with or without parameters.
  static func includes(_ contentType: String) -> Bool {
    let type = MediaTypeSyntax.essence(of: contentType)
    guard !plain.contains(type) else { return false }
    if types.contains(type) || families.contains(where: type.hasPrefix) { return true }
    if type.hasSuffix("+zip") || type.hasSuffix("+gzip") || type.hasSuffix("+zstd") { return true }
    return kinds.contains(String(type.prefix { $0 != "/" }))
  }
}
