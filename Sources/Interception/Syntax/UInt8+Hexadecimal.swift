extension UInt8 {
  /// The value of the byte as a hexadecimal digit in ASCII, in upper or lower case; nil for any other byte.
  @inlinable
  package var hexadecimalValue: UInt8? {
    switch self {
    case 0x30...0x39: self - 0x30
    case 0x41...0x46: self - 0x41 + 10
    case 0x61...0x66: self - 0x61 + 10
    default: nil
    }
  }
}
