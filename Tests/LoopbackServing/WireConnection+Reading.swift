import Foundation

extension WireConnection {
  /// Reads the head of a request; returns nil if the connection ends before one.
  func readHead() throws -> ReceivedRequest? {
    var bytes: [UInt8] = []
    var searched = 0
    while true {
      if let end = Self.endOfHead(bytes, from: searched) {
        putBack(bytes[end...])
        return parse(bytes[..<end])
      }
      searched = max(bytes.count - 3, 0)
      guard let more = try read() else { return nil }
      bytes += more
    }
  }

  /// Reads the body of a request in parts, without framing; for handlers that read it themselves.
  ///
  /// - Returns: The lines of the trailer fields, if the body has any.
  @discardableResult
  public func readBody(
    of request: ReceivedRequest, _ consume: ([UInt8]) throws -> Void
  ) throws -> [String] {
    if request.value(of: "Transfer-Encoding")?.lowercased() == "chunked" {
      while case let size = Int(try readLine(), radix: 16) ?? 0, size > 0 {
        try readExactly(size, consume)
        _ = try readLine()
      }
      var trailers: [String] = []
      while case let line = try readLine(), !line.isEmpty { trailers.append(line) }
      return trailers
    } else if let length = request.value(of: "Content-Length").flatMap({ Int($0) }) {
      try readExactly(length, consume)
    }
    return []
  }

  private func readExactly(_ count: Int, _ consume: ([UInt8]) throws -> Void) throws {
    var left = count
    while left > 0 {
      guard let bytes = try read() else { throw Closed() }
      if bytes.count > left { putBack(bytes[left...]) }
      try consume(Array(bytes.prefix(left)))
      left -= min(left, bytes.count)
    }
  }

  private func readLine() throws -> String {
    var line: [UInt8] = []
    while true {
      guard let bytes = try read() else { throw Closed() }
      guard let end = bytes.firstIndex(of: 0x0A) else {
        line += bytes
        continue
      }
      line += bytes[..<end]
      putBack(bytes[(end + 1)...])
      if line.last == 0x0D { line.removeLast() }
      return String(decoding: line, as: UTF8.self)
    }
  }

  private static func endOfHead(_ bytes: [UInt8], from start: Int) -> Int? {
    var index = start
    while index + 4 <= bytes.count {
      if bytes[index] == 0x0D, bytes[index + 1] == 0x0A, bytes[index + 2] == 0x0D, bytes[index + 3] == 0x0A {
        return index + 4
      }
      index += 1
    }
    return nil
  }

  private func parse(_ head: ArraySlice<UInt8>) -> ReceivedRequest {
    let lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n").filter { !$0.isEmpty }
    let first = (lines.first ?? "").split(separator: " ").map(String.init)
    let fields = lines.dropFirst().map { line in
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let value = parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
      return (name: String(parts.first ?? ""), value: value)
    }
    return ReceivedRequest(
      method: first.first ?? "", target: first.count > 1 ? first[1] : "", fields: Array(fields),
      head: Array(head), connection: number)
  }
}
