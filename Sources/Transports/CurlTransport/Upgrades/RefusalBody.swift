import HTTPTypes
import Interception

/// The body of a response that refuses an upgrade, of which the first bytes are kept (RFC 9112, section 6.3).
struct RefusalBody {
  private enum Framing {
    case length(Int64)
    case chunks
    case untilClose
  }

  private enum ChunkPart {
    case size
    case data(Int)
    case dataEnd
    case trailers
  }

  /// The maximum length of a chunk's first line, and of all trailers.
  private static let lineLimit = 8 << 10

  private let framing: Framing
  private let limit: Int
  private var part = ChunkPart.size
  private var line: [UInt8] = []
  private var trailerBytes = 0
  private(set) var bytes: [UInt8] = []
  private(set) var isComplete = false

  /// Creates an empty body, as the head delimits it; it is complete once it has `limit` bytes.
  init(_ head: HTTPResponse, limit: Int) {
    self.limit = limit
    if head.status.code == 204 || head.status.code == 304 {
      framing = .length(0)
    } else if !head.headerFields.members(of: .transferEncoding).isEmpty {
      framing = .chunks
    } else if let length = head.headerFields.contentLength {
      framing = .length(length)
    } else {
      framing = .untilClose
    }
    if case .length(0) = framing { isComplete = true }
  }

  /// Whether the end of the connection is the end of the body.
  var endsWithConnection: Bool { if case .untilClose = framing { true } else { false } }

  /// Takes received bytes; returns false if they are no chunks.
  mutating func take(_ input: ArraySlice<UInt8>) -> Bool {
    switch framing {
    case .length(let length):
      append(input.prefix(Int(clamping: length - Int64(bytes.count))))
      if Int64(bytes.count) == length { isComplete = true }
    case .untilClose: append(input)
    case .chunks: return takeChunks(input)
    }
    return true
  }

  private mutating func append(_ input: ArraySlice<UInt8>) {
    bytes += input.prefix(limit - bytes.count)
    if bytes.count == limit { isComplete = true }
  }

  private mutating func takeChunks(_ input: ArraySlice<UInt8>) -> Bool {
    var rest = input
    while !isComplete, let byte = rest.first {
      if case .data(let count) = part {
        let piece = rest.prefix(count)
        append(piece)
        rest = rest.dropFirst(piece.count)
        part = piece.count == count ? .dataEnd : .data(count - piece.count)
        continue
      }
      rest = rest.dropFirst()
      line.append(byte)
      guard line.count <= Self.lineLimit else { return false }
      guard byte == UInt8(ascii: "\n") else { continue }
      guard line.dropLast().last == UInt8(ascii: "\r"), endLine(line.dropLast(2)) else { return false }
      line = []
    }
    return true
  }

  private mutating func endLine(_ line: ArraySlice<UInt8>) -> Bool {
    switch part {
    case .size:
      let digits = line.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") }
      let text = String(decoding: digits, as: UTF8.self)
      guard digits.first != UInt8(ascii: "+"), digits.first != UInt8(ascii: "-"),
        let size = Int(text, radix: 16)
      else { return false }
      part = size == 0 ? .trailers : .data(size)
    case .dataEnd:
      guard line.isEmpty else { return false }
      part = .size
    case .trailers:
      trailerBytes += line.count + 2
      if line.isEmpty { isComplete = true }
      return trailerBytes <= Self.lineLimit
    case .data: return false
    }
    return true
  }
}
