/// A decoded photo: four bytes for each pixel, for red, green, blue and opacity, row by row.
package struct Photo: Sendable, Equatable {
  package let width: Int
  package let height: Int
  package let pixels: [UInt8]

  init(width: Int, height: Int, pixels: [UInt8]) {
    self.width = width
    self.height = height
    self.pixels = pixels
  }

  /// The brightness of a pixel, from 0 to 255.
  func brightness(x: Int, y: Int) -> Int {
    let start = (y * width + x) * 4
    return (Int(pixels[start]) * 299 + Int(pixels[start + 1]) * 587 + Int(pixels[start + 2]) * 114) / 1000
  }

  /// Returns the photo scaled down so that it fits into a size; a smaller one is unchanged.
  ///
  /// Each pixel is the mean of those it replaces.
  func fitting(width maximumWidth: Int, height maximumHeight: Int) -> Photo {
    // The side that is reduced more determines the scale.
    let isWide = width * maximumHeight >= height * maximumWidth
    let (limit, side) = isWide ? (maximumWidth, width) : (maximumHeight, height)
    guard limit < side else { return self }
    let (newWidth, newHeight) = (max(1, width * limit / side), max(1, height * limit / side))
    var scaled: [UInt8] = []
    scaled.reserveCapacity(newWidth * newHeight * 4)
    for y in 0..<newHeight {
      let rows = y * height / newHeight..<max(y * height / newHeight + 1, (y + 1) * height / newHeight)
      for x in 0..<newWidth {
        let columns = x * width / newWidth..<max(x * width / newWidth + 1, (x + 1) * width / newWidth)
        scaled += mean(rows, columns)
      }
    }
    return Photo(width: newWidth, height: newHeight, pixels: scaled)
  }

  private func mean(_ rows: Range<Int>, _ columns: Range<Int>) -> [UInt8] {
    var sums = [0, 0, 0, 0]
    for y in rows {
      for x in columns {
        for part in 0..<4 { sums[part] += Int(pixels[(y * width + x) * 4 + part]) }
      }
    }
    return sums.map { UInt8($0 / (rows.count * columns.count)) }
  }
}

extension Photo {
  private static let shades = Array(" .:-=+*#%@")

  /// The photo as lines of text: a character for two pixels, one above the other, the darker the denser.
  package var lines: [String] {
    stride(from: 0, to: height, by: 2).map { y in
      String(
        (0..<width).map { x in
          let below = brightness(x: x, y: min(y + 1, height - 1))
          let mean = (brightness(x: x, y: y) + below) / 2
          return Self.shades[(255 - mean) * (Self.shades.count - 1) / 255]
        })
    }
  }
}
