import COpenSSL

/// The two numbers of an ECDSA signature with P-256, which libcrypto encodes in DER and most protocols as 64
/// bytes.
package struct ECDSASignature: Sendable, Hashable {
  private static let numberSize = 32

  /// r and s with 32 bytes each, most significant byte first.
  package let bytes: [UInt8]

  /// Creates a signature from r and s; nil unless there are 64 bytes.
  package init?(bytes: [UInt8]) {
    guard bytes.count == 2 * Self.numberSize else { return nil }
    self.bytes = bytes
  }

  /// Reads a signature in DER (RFC 3279, section 2.2.3); nil if it is malformed or a number is too long.
  package init?(der: [UInt8]) {
    let numbers: [UInt8]? = der.withUnsafeBufferPointer { der in
      var start = der.baseAddress
      guard let signature = d2i_ECDSA_SIG(nil, &start, der.count) else { return nil }
      defer { ECDSA_SIG_free(signature) }
      guard start == der.baseAddress.map({ $0 + der.count }) else { return nil }
      var (r, s): (OpaquePointer?, OpaquePointer?) = (nil, nil)
      ECDSA_SIG_get0(signature, &r, &s)
      var numbers = [UInt8](repeating: 0, count: 2 * Self.numberSize)
      let isDone = numbers.withUnsafeMutableBufferPointer { numbers in
        guard let start = numbers.baseAddress else { return false }
        let size = Int32(Self.numberSize)
        return BN_bn2binpad(r, start, size) == size && BN_bn2binpad(s, start + Self.numberSize, size) == size
      }
      return isDone ? numbers : nil
    }
    guard let numbers else {
      ERR_clear_error()
      return nil
    }
    bytes = numbers
  }

  /// Returns the signature in DER, or nil if there is no memory.
  package func der() -> [UInt8]? {
    guard let signature = ECDSA_SIG_new() else { return nil }
    defer { ECDSA_SIG_free(signature) }
    let size = Int32(Self.numberSize)
    let (r, s) = bytes.withUnsafeBufferPointer { bytes in
      (
        BN_bin2bn(bytes.baseAddress, size, nil),
        BN_bin2bn(bytes.baseAddress.map { $0 + Self.numberSize }, size, nil)
      )
    }
    // Only on success does the signature own the numbers.
    guard let r, let s, ECDSA_SIG_set0(signature, r, s) == 1 else {
      BN_free(r)
      BN_free(s)
      return nil
    }
    let count = i2d_ECDSA_SIG(signature, nil)
    guard count > 0 else { return nil }
    var encoded = [UInt8](repeating: 0, count: Int(count))
    let written = encoded.withUnsafeMutableBufferPointer { buffer in
      var start = buffer.baseAddress
      return i2d_ECDSA_SIG(signature, &start)
    }
    return written == count ? encoded : nil
  }
}
