#if LoopbackTesting
import HTTPTypes
import Interception
import Synchronization

/// The suite's server as a function of the request.
enum ConformanceOrigin {
  static func response(to request: LoopbackRequest) -> LoopbackResponse {
    let parts = request.path.split(separator: "/").map(String.init)
    let argument = parts.count > 1 ? Int64(parts[1]) : nil
    switch parts.first {
    case "echo": return echo(request)
    case "status": return LoopbackResponse(status: Int(argument ?? 200), fields: [.location: "/elsewhere"])
    case "pattern": return LoopbackResponse(content: .pattern(argument ?? 0))
    case "chunked":
      return LoopbackResponse(content: .pattern(argument ?? 0), framing: .chunked(1_000))
    case "close": return LoopbackResponse(content: .pattern(argument ?? 0), framing: .untilClose)
    case "trailers":
      return LoopbackResponse(
        content: .bytes(Array("content".utf8)), framing: .chunked(3),
        trailers: HTTPFields([("x-checksum", "42"), ("x-more", "yes")]))
    case "fields":
      return LoopbackResponse(
        fields: HTTPFields([("x-one", "1"), ("Set-Cookie", "a=1"), ("set-cookie", "b=2")]))
    case "early":
      return .text("late").failing(.responseStart, .informational(103))
        .failing(.responseStart, .informational(103))
    case "gzip": return coded(GzipSample.stored(Array("plain text".utf8)))
    case "brokenGzip": return coded(Array("this is no gzip at all".utf8))
    case "bomb": return coded(GzipSample.zeros(1 << 20).bytes)
    default: return LoopbackResponse(status: 404)
    }
  }

  private static func echo(_ request: LoopbackRequest) -> LoopbackResponse {
    var fields = HTTPFields([
      ("x-method", request.method.rawValue), ("x-target", request.head.path ?? ""),
      ("x-length", "\(request.body.count)"), ("x-authority", request.head.authority ?? ""),
    ])
    for name in ["x-probe", "accept-encoding", "content-type"] {
      guard let field = HTTPField.Name(name), let echoed = HTTPField.Name("x-echo-\(name)") else { continue }
      let values = request.values(of: field)
      if !values.isEmpty { fields[echoed] = values.joined(separator: "|") }
    }
    if let echoed = HTTPField.Name("x-trailers"), !request.trailers.isEmpty {
      fields[echoed] = request.trailers.map { "\($0.name.canonicalName): \($0.value)" }.joined(separator: "|")
    }
    return LoopbackResponse(fields: fields, content: .bytes(request.body))
  }

  private static func coded(_ bytes: [UInt8]) -> LoopbackResponse {
    LoopbackResponse(fields: [.contentEncoding: "gzip"], content: .bytes(bytes))
  }
}

/// Creates gzip files (RFC 1952) with known content, without a compressor.
struct GzipSample {
  let bytes: [UInt8]

  /// Returns a file of one stored block with at most 65,535 bytes.
  static func stored(_ content: [UInt8]) -> [UInt8] {
    let count = UInt16(truncatingIfNeeded: content.count)
    let block = [1] + littleEndian(count) + littleEndian(~count) + content
    return header + block + littleEndian(checksum(content)) + littleEndian(UInt32(content.count))
  }

  /// Returns a file with at least a number of zeros, which is about a thousandth of their size.
  ///
  /// It is one block of fixed Huffman codes (RFC 1951, section 3.2.6): a literal 0, followed by copies of 258
  /// bytes at distance 1.
  static func zeros(_ count: Int) -> (bytes: [UInt8], length: Int) {
    let copies = (count + 257) / 258
    var bits = BitWriter()
    bits.append(0b1, count: 1)
    bits.append(0b01, count: 2)
    bits.appendCode(0b0011_0000, count: 8)
    for _ in 0..<copies {
      bits.appendCode(0b1100_0101, count: 8)
      bits.appendCode(0, count: 5)
    }
    bits.appendCode(0, count: 7)
    let length = 1 + copies * 258
    let sum = checksum([UInt8](repeating: 0, count: length))
    return (header + bits.bytes + littleEndian(sum) + littleEndian(UInt32(length)), length)
  }

  private static let header: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]

  private static func littleEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    (0..<Number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }

  /// Returns the CRC-32 (RFC 1952, section 8).
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    let table: [UInt32] = (0..<256).map { (index: UInt32) -> UInt32 in
      var rest = index
      for _ in 0..<8 { rest = rest & 1 == 1 ? 0xEDB8_8320 ^ (rest >> 1) : rest >> 1 }
      return rest
    }
    var sum = UInt32.max
    for byte in bytes { sum = table[Int((sum ^ UInt32(byte)) & 0xFF)] ^ (sum >> 8) }
    return ~sum
  }

  private struct BitWriter {
    private(set) var bytes: [UInt8] = []
    private var used = 8

    /// Appends a number, lowest bit first.
    mutating func append(_ number: UInt32, count: Int) {
      for place in 0..<count { append(bit: number >> UInt32(place) & 1) }
    }

    /// Appends a Huffman code, highest bit first.
    mutating func appendCode(_ code: UInt32, count: Int) {
      for place in (0..<count).reversed() { append(bit: code >> UInt32(place) & 1) }
    }

    private mutating func append(bit: UInt32) {
      if used == 8 {
        bytes.append(0)
        used = 0
      }
      bytes[bytes.count - 1] |= UInt8(bit) << UInt8(used)
      used += 1
    }
  }
}

/// The bytes of ``LoopbackContent/pattern(_:)`` as a request body.
final class PatternSource: ByteSource {
  private let length: Int64
  private let offset = Mutex<Int64>(0)

  init(length: Int64) { self.length = length }

  func read() async throws(NetworkError) -> [UInt8]? {
    let range = offset.withLock { offset in
      let end = min(offset + 65_536, length)
      defer { offset = end }
      return offset..<end
    }
    return range.isEmpty ? nil : LoopbackContent.pattern(length).slice(range)
  }

  func cancel() { offset.withLock { $0 = length } }
}
#endif
