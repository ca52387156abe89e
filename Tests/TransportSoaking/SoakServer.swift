import LoopbackServing

/// The HTTP/1.1 server of a soak; the path names what it does and how many bytes it sends.
enum SoakServer {
  static func start() throws -> ScriptedServer {
    try ScriptedServer(raw: { request, wire in
      let parts = request.target.split(separator: "/")
      let deed = parts.first.flatMap { SoakPlan.Deed(rawValue: String($0)) } ?? .garbage
      let size = parts.dropFirst().first.flatMap { Int($0) } ?? 0
      try answer(deed, size: size, request, wire)
    })
  }

  private static func answer(
    _ deed: SoakPlan.Deed, size: Int, _ request: ReceivedRequest, _ wire: WireConnection
  ) throws {
    switch deed {
    case .small: try reply(wire, Array("\(size)".utf8))
    case .large: try reply(wire, SoakPattern.bytes(size))
    case .chunked:
      try wire.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
      let bytes = SoakPattern.bytes(size)
      for start in stride(from: 0, to: size, by: 10_000) {
        let chunk = bytes[start..<min(start + 10_000, size)]
        try wire.send("\(String(chunk.count, radix: 16))\r\n")
        try wire.send(Array(chunk) + [0x0D, 0x0A])
      }
      try wire.send("0\r\n\r\n")
      wire.stayOpen()
    case .uploadBytes, .uploadStream, .uploadBroken:
      var count = 0
      var isIntact = true
      try wire.readBody(of: request) { bytes in
        isIntact = isIntact && SoakPattern.matches(bytes, at: count)
        count += bytes.count
      }
      try reply(wire, Array("\(isIntact ? count : -1)".utf8))
    case .uploadRefused:
      try wire.send("HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    case .resetAtHead: wire.reset()
    case .resetInBody:
      try wire.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf")
      wire.reset()
    case .shortBody: try wire.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf")
    case .garbage: try wire.send("\u{16}\u{3}\u{1}garbage\r\n\r\n")
    case .silence: wire.waitForClose()
    }
  }

  private static func reply(_ wire: WireConnection, _ body: [UInt8]) throws {
    try wire.send(Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n".utf8) + body)
    wire.stayOpen()
  }
}
