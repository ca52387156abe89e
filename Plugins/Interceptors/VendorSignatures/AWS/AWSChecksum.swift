/// A checksum that S3 verifies, sent after the last chunk of a body.
public enum AWSChecksum: String, Sendable, Hashable {
  /// CRC-32C (RFC 3720, appendix B.4), in the trailer `x-amz-checksum-crc32c`.
  case crc32c = "x-amz-checksum-crc32c"

  /// The number of characters of its value in base 64.
  var valueLength: Int { 8 }
}
