import HTTPTypes
public import Interception

/// A request as a bash command line that sends it with curl.
///
/// The command has no line break, and sends the request's fields and no others: fields that curl adds by
/// itself (`Accept`, `User-Agent`, a form's `Content-Type`) are removed. It uses the request's connect target
/// and time limits. ``init(_:redaction:)`` hides secrets and the body.
public struct CurlCommand: Sendable, Hashable {
  /// The command line.
  public let line: String
  /// Whether the command line doesn't contain the body, so that it must be piped in.
  ///
  /// This is the case for bodies that aren't in memory and for those of more than 1 MiB.
  package let readsStandardInput: Bool

  /// Creates a command line without the request's secrets.
  ///
  /// It can still be run; it sends `REDACTED` instead of each hidden value and of the body.
  public init(_ request: Request, redaction: Redaction = Redaction()) {
    var redaction = redaction.hiding(request.context.credentialFields)
    // This mark is legal in a URL and in a field, so the command line can be run.
    redaction.mark = "REDACTED"
    self.init(request, hiding: redaction)
  }

  /// Returns a command line with the whole request: credentials, cookies, signature and body.
  ///
  /// Use it in a debugger only; never write it to a file or a ticket. No logger of this package uses it.
  package static func unsafeUnredacted(_ request: Request) -> CurlCommand {
    CurlCommand(request, hiding: nil)
  }

  private init(_ request: Request, hiding redaction: Redaction?) {
    let arguments = CurlArguments(request, hiding: redaction)
    line = arguments.line
    readsStandardInput = arguments.readsStandardInput
  }
}

extension CurlCommand: CustomStringConvertible {
  /// The command line.
  public var description: String { line }
}

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
    // curl decodes what it prints, and sends the request's own field.
    if let field = request.head.headerFields[.acceptEncoding], field != "identity" {
      words.append("--compressed")
    }
    if let limit = request.options.timeouts.connect { add("--connect-timeout", Self.seconds(limit)) }
    if let limit = request.options.timeouts.overall?.limit { add("--max-time", Self.seconds(limit)) }
    if let target = request.context.connectTarget {
      let text = URLText.legal(target.address)
      let address = text.contains(":") ? "[\(text)]" : text
      // The two empty parts match any host and port; an empty last part keeps the URL's port.
      add("--connect-to", "::\(address):\(target.port.map(String.init) ?? "")")
    }
  }

  private mutating func addFields(of request: Request, hiding redaction: Redaction?) {
    let fields = request.head.headerFields
    for field in fields where field.name != .contentLength {
      var bytes = Array(field.name.rawName.utf8)
      let value =
        if let redaction, redaction.hides(field.name) || Redaction.containsURL(field.name) {
          Array(redaction.value(of: field).utf8)
        } else {
          field.bytes
        }
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
      add("--request-target", URLText.legal(path))
      path = "/"
    }
    // curl rejects spaces and control characters in a URL.
    let url = URLText.legal("\(scheme(of: request))://\(redaction?.authority(authority) ?? authority)\(path)")
    // Without these options curl expands brackets and braces, and normalizes `/../`.
    if url.utf8.contains(where: Set("[]{}".utf8).contains) { words.append("--globoff") }
    if path.contains("/.") { words.append("--path-as-is") }
    // The scheme is any text: at the beginning of a word of its own, "-" would make it an option.
    add("--url", Self.withoutMark(url))
  }

  /// Encodes an "@" at the beginning, after which curl 8.13 and later read URLs from a file.
  private static func withoutMark(_ url: String) -> String {
    url.utf8.first == UInt8(ascii: "@") ? "%40" + url.dropFirst() : url
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

/// Quotes arbitrary bytes for bash, on one line.
enum BashText {
  private static let safe = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-".utf8)

  /// Returns the bytes as one quoted word.
  ///
  /// The bytes must not contain a zero, because no argument can. If plain quotes aren't enough, `$'…'` with
  /// escapes is used; there `!` is escaped too, for shells with history expansion.
  static func word(_ bytes: [UInt8]) -> String {
    if !bytes.isEmpty, bytes.allSatisfy(safe.contains) { return String(decoding: bytes, as: UTF8.self) }
    let isPlain = bytes.allSatisfy { (0x20...0x7E).contains($0) && $0 != quote && $0 != backslash }
    if isPlain { return "'\(String(decoding: bytes, as: UTF8.self))'" }
    return "$'"
      + written(bytes) { byte in
        switch byte {
        case quote: "\\'"
        case backslash: "\\\\"
        case UInt8(ascii: "\n"): "\\n"
        case UInt8(ascii: "\r"): "\\r"
        case UInt8(ascii: "\t"): "\\t"
        case UInt8(ascii: "!"), 0...0x1F, 0x7F...: "\\x" + digits(byte, radix: 16, count: 2)
        default: nil
        }
      } + "'"
  }

  /// Returns the text as one quoted word.
  static func word(_ text: String) -> String { word(Array(text.utf8)) }

  /// Returns a `printf` format that prints the bytes, including zeros.
  static func printfFormat(_ bytes: [UInt8]) -> String {
    "'"
      + written(bytes) { byte in
        switch byte {
        case UInt8(ascii: "%"): "%%"
        case backslash: "\\\\"
        case quote, 0...0x1F, 0x7F...: "\\" + digits(byte, radix: 8, count: 3)
        default: nil
        }
      } + "'"
  }

  private static let quote = UInt8(ascii: "'")
  private static let backslash = UInt8(ascii: "\\")

  /// Returns the bytes with escapes applied, except to bytes that are part of a readable character.
  private static func written(_ bytes: [UInt8], escape: (UInt8) -> String?) -> String {
    var text = ""
    text.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if bytes[index] >= 0x80, let scalar = readableScalar(bytes[index...]) {
        text.unicodeScalars.append(scalar)
        index += UTF8.width(scalar)
        continue
      }
      if let escaped = escape(bytes[index]) {
        text += escaped
      } else {
        text.unicodeScalars.append(Unicode.Scalar(bytes[index]))
      }
      index += 1
    }
    return text
  }

  /// The scalar at the start of the bytes, if it is visible and doesn't change the text direction.
  private static func readableScalar(_ bytes: ArraySlice<UInt8>) -> Unicode.Scalar? {
    var decoder = UTF8()
    var iterator = bytes.prefix(4).makeIterator()
    guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return nil }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .otherLetter, .decimalNumber, .otherSymbol,
      .mathSymbol, .currencySymbol, .dashPunctuation, .otherPunctuation, .openPunctuation, .closePunctuation,
      .initialPunctuation, .finalPunctuation:
      return scalar
    default: return nil
    }
  }

  private static func digits(_ byte: UInt8, radix: Int, count: Int) -> String {
    let digits = String(byte, radix: radix)
    return String(repeating: "0", count: count - digits.count) + digits
  }
}
