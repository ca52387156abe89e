#if LoopbackTesting
import HTTPTypes

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
    return LoopbackResponse(fields: fields, content: .bytes(request.body))
  }

  private static func coded(_ bytes: [UInt8]) -> LoopbackResponse {
    LoopbackResponse(fields: [.contentEncoding: "gzip"], content: .bytes(bytes))
  }
}
#endif
