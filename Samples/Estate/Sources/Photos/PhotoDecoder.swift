import CPng
import CWebP
package import ResourceLoading

/// Decodes PNG by libpng and WebP by libwebp.
package struct PhotoDecoder: ResourceDecoder {
  package init() {}

  /// Returns the size that the header of a PNG or WebP file states.
  package func measure(_ bytes: [UInt8]) throws(PhotoFault) -> PixelSize? {
    switch try PhotoFormat(bytes) {
    case .png:
      return try withPNG(bytes) { (image) throws(PhotoFault) in
        PixelSize(width: Int(image.width), height: Int(image.height))
      }
    case .webP:
      var (width, height) = (CInt(0), CInt(0))
      guard WebPGetInfo(bytes, bytes.count, &width, &height) != 0 else { throw .damaged(.webP) }
      return PixelSize(width: Int(width), height: Int(height))
    }
  }

  /// Decodes a file, and scales it down so that it fits into a size.
  package func decode(
    _ bytes: [UInt8], to size: PixelSize?
  ) throws(PhotoFault) -> DecodedResource<Photo> {
    let whole =
      switch try PhotoFormat(bytes) {
      case .png: try png(bytes)
      case .webP: try webP(bytes)
      }
    let photo = size.map { whole.fitting(width: $0.width, height: $0.height) } ?? whole
    return DecodedResource(photo, cost: photo.pixels.count)
  }

  private func png(_ bytes: [UInt8]) throws(PhotoFault) -> Photo {
    try withPNG(bytes) { (image) throws(PhotoFault) in
      image.format = PNG_SEAM_RGBA
      let (width, height) = (Int(image.width), Int(image.height))
      var pixels = [UInt8](repeating: 0, count: width * height * 4)
      guard png_image_finish_read(&image, nil, &pixels, 0, nil) != 0 else { throw .damaged(.png) }
      return Photo(width: width, height: height, pixels: pixels)
    }
  }

  private func webP(_ bytes: [UInt8]) throws(PhotoFault) -> Photo {
    guard let size = try measure(bytes) else { throw .damaged(.webP) }
    var pixels = [UInt8](repeating: 0, count: size.width * size.height * 4)
    let rowLength = CInt(size.width * 4)
    guard WebPDecodeRGBAInto(bytes, bytes.count, &pixels, pixels.count, rowLength) != nil else {
      throw .damaged(.webP)
    }
    return Photo(width: size.width, height: size.height, pixels: pixels)
  }

  /// Reads the header of a PNG file, and performs an action on it while its bytes are there.
  private func withPNG<Value>(
    _ bytes: [UInt8], _ action: (inout png_image) throws(PhotoFault) -> Value
  ) throws(PhotoFault) -> Value {
    var image = png_image()
    image.version = PNG_SEAM_VERSION
    let result = bytes.withUnsafeBytes { buffer -> Result<Value, PhotoFault> in
      guard png_image_begin_read_from_memory(&image, buffer.baseAddress, buffer.count) != 0 else {
        return .failure(.damaged(.png))
      }
      // Without effect after the pixels were read, which frees it.
      defer { png_image_free(&image) }
      do throws(PhotoFault) {
        return .success(try action(&image))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}

/// A format of image files, which their first bytes tell.
package enum PhotoFormat: String, Sendable {
  /// Portable Network Graphics (RFC 2083).
  case png = "PNG"
  /// WebP (RFC 9649).
  case webP = "WebP"

  init(_ bytes: [UInt8]) throws(PhotoFault) {
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if bytes.count >= 12, bytes.starts(with: "RIFF".utf8), bytes[8..<12].elementsEqual("WEBP".utf8) {
      self = .webP
    } else {
      throw .unknown
    }
  }
}

/// Why bytes are no photo.
package enum PhotoFault: Error, Equatable {
  case unknown
  /// The file is truncated or otherwise not of its format.
  case damaged(PhotoFormat)
}
