package import Interception

extension ContentCoding {
  /// The codings that can be written; the first ones save the most bytes in the same time.
  package static let encodable: [ContentCoding] = [.zstd, .brotli, .gzip, .deflate]

  /// Creates an encoder of this coding; nil if it can't be written.
  ///
  /// - Parameter level: 1, the fastest, to 9, the smallest; values outside are clamped. Each coding has its
  ///   own scale.
  /// - Throws: `NetworkError.Kind.rejected` if there is no memory.
  package func makeEncoder(level: Int) throws(NetworkError) -> (any ContentEncoder)? {
    let level = min(max(level, 1), 9)
    switch self {
    case .gzip: return try ZlibEncoder(.gzip, level: level)
    case .deflate: return try ZlibEncoder(.deflate, level: level)
    case .brotli: return try BrotliEncoder(quality: level)
    case .zstd: return try ZstdEncoder(level: level)
    default: return nil
    }
  }

  /// The error of an encoder whose library failed.
  static func failure(_ library: String, _ code: String) -> NetworkError {
    NetworkError(
      .rejected,
      "\(library) failed with \(code) while compressing the body; send it as is, or free memory.")
  }
}
