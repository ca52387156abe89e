import HTTPTypes
import Interception

/// Assembles the words of a curl command line.
struct CurlArguments {
  // Linux limits each argument to 128 KiB.
  private static let maximumArgumentLength = 64 << 10
  private static let maximumBodyLength = 1 << 20

  private(set) var readsStandardInput = false
  private var feed = ""
  private var words = ["curl"]

  var line: String { feed + words.joined(separator: " ") }

  init(_ request: Request, hiding redaction: Redaction?) {
    addMethod(of: request)
    addTransport(of: request)
    addFields(of: request, hiding: redaction)
    addBody(of: request, isHidden: redaction != nil)
    addURL(of: request, hiding: redaction)
  }

  private mutating func add(_ option: String, _ value: String) { words += [option, BashText.word(value)] }

  private mutating func addMethod(of request: Request) {
    switch request.head.method {
    case .head: words.append("--head")
    case .get where request.body.isEmpty, .post: break
    case let method: add("-X", method.rawValue)
    }
  }

  private mutating func addTransport(of request: Request) {
    if scheme(of: request) == "https" { words.append("--http2") }
    if !request.options.acceptedCodings.isEmpty, request.head.headerFields[.acceptEncoding] == nil {
      words.append("--compressed")
    }
    if let limit = request.options.timeouts.connect { add("--connect-timeout", Self.seconds(limit)) }
    if let limit = request.options.timeouts.overall?.limit { add("--max-time", Self.seconds(limit)) }
    if let target = request.context.connectTarget {
      let address = target.address.contains(":") ? "[\(target.address)]" : target.address
      // The two empty parts match any host and port; an empty last part keeps the URL's port.
      add("--connect-to", "::\(address):\(target.port.map(String.init) ?? "")")
    }
  }

  private mutating func addFields(of request: Request, hiding redaction: Redaction?) {
    let fields = request.head.headerFields
    for field in fields where field.name != .contentLength {
      var bytes = Array(field.name.rawName.utf8)
      let value =
        redaction.map { Array($0.value(of: field).utf8) } ?? field.withUnsafeBytesOfValue(Array.init)
      // curl removes a field with an empty value; with a semicolon it sends the field empty.
      bytes += value.isEmpty ? Array(";".utf8) : Array(": ".utf8) + value
      words += ["-H", BashText.word(bytes)]
    }
    if fields[.accept] == nil { words += ["-H", "Accept:"] }
    if fields[.userAgent] == nil { words += ["-H", "User-Agent:"] }
    if fields[.contentType] == nil, sendsData(request) { words += ["-H", "Content-Type:"] }
    if fields[.expect] == nil, request.body.length ?? .max > Int64(Self.maximumBodyLength) - 1,
      sendsData(request)
    {
      words += ["-H", "Expect:"]
    }
  }

  private func sendsData(_ request: Request) -> Bool {
    guard request.head.method != .head else { return false }
    return !request.body.isEmpty || request.head.method == .post || request.head.method == .put
  }

  private mutating func addBody(of request: Request, isHidden: Bool) {
    guard sendsData(request) else { return }
    let bytes = request.body.isEmpty ? [] : isHidden ? Array("REDACTED".utf8) : request.body.bytes
    if let bytes, bytes.count <= Self.maximumArgumentLength, !bytes.contains(0) {
      words += ["--data-raw", BashText.word(bytes)]
      return
    }
    words += ["--data-binary", "@-"]
    if let bytes, bytes.count <= Self.maximumBodyLength {
      feed = "printf -- \(BashText.printfFormat(bytes)) | "
    } else {
      readsStandardInput = true
    }
  }

  private mutating func addURL(of request: Request, hiding redaction: Redaction?) {
    let authority = request.head.authority ?? ""
    var path = request.head.path ?? "/"
    if let redaction { path = redaction.path(path) }
    if !path.hasPrefix("/") {
      add("--request-target", path)
      path = "/"
    }
    // curl rejects spaces and control characters in a URL.
    let url = URLText.legal("\(scheme(of: request))://\(redaction?.authority(authority) ?? authority)\(path)")
    // Without these options curl expands brackets and braces, and normalizes `/../`.
    if url.utf8.contains(where: Set("[]{}".utf8).contains) { words.append("--globoff") }
    if path.contains("/.") { words.append("--path-as-is") }
    words.append(BashText.word(url))
  }

  private func scheme(of request: Request) -> String { request.head.scheme?.lowercased() ?? "https" }

  private static func seconds(_ duration: Duration) -> String {
    let milliseconds = LogText.milliseconds(duration)
    let (seconds, attoseconds) = max(.zero, duration).components
    guard attoseconds != 0, let point = milliseconds.firstIndex(of: ".") else { return "\(seconds)" }
    let thousandths = String(milliseconds[..<point].suffix(3))
    return "\(seconds)." + String(repeating: "0", count: 3 - thousandths.count) + thousandths
  }
}
