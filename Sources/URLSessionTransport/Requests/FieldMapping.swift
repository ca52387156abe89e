import HTTPTypes
import Interception

/// A request's fields in the form that `URLRequest` takes: each name once.
struct FieldMapping {
  private(set) var fields: [(name: String, value: String)] = []
  private var places: [String: Int] = [:]

  /// The codings that every platform undoes.
  static let decodable: [ContentCoding] = [.gzip, .deflate]

  /// Checks the fields, joins those that repeat, and adds what the platform would otherwise fill in its own
  /// way.
  ///
  /// - Throws: ``NetworkError/Kind/invalidRequest``, which names the field and never its value.
  init(
    _ request: Request, address: RequestAddress, userAgent: String?, habits: PlatformHabits
  ) throws(NetworkError) {
    for field in request.head.headerFields {
      switch field.name.canonicalName {
      case "host":
        guard field.value == address.authority else {
          throw RequestAddress.invalid(
            "The Host field differs from the authority \(address.authority); remove it, the authority is sent as Host."
          )
        }
      case "content-length":
        guard field.value == request.body.length.map(String.init) else {
          throw RequestAddress.invalid(
            "The Content-Length field differs from the body's length; remove it, the transport sets it.")
        }
      case "transfer-encoding", "expect", "connection", "upgrade", "keep-alive", "proxy-connection",
        "proxy-authorization", "http2-settings", "te":
        throw RequestAddress.invalid(
          "The \(field.name.rawName) field belongs to the connection, not to the request; remove it.")
      default:
        try append(field)
      }
    }
    if habits.takesHostField { set("Host", address.authority) }
    let codings = request.options.acceptedCodings.filter(Self.decodable.contains)
    if !codings.isEmpty {
      set("Accept-Encoding", codings.map(\.name).joined(separator: ", "))
    } else {
      setIfMissing("Accept-Encoding", "identity")
    }
    // Foundation would send the user's language, and call a body without a type a form.
    setIfMissing("Accept-Language", "*")
    setIfMissing("Accept", "*/*")
    if request.head.method == .post, !request.body.isEmpty {
      setIfMissing("Content-Type", "application/octet-stream")
    }
    if let userAgent {
      guard HTTPField.isValidValue(userAgent) else {
        throw RequestAddress.invalid(
          "The configuration's userAgent holds a control character, or white space at an end; remove it.")
      }
      setIfMissing("User-Agent", userAgent)
    }
  }

  private mutating func append(_ field: HTTPField) throws(NetworkError) {
    let name = field.name.rawName
    guard !field.value.utf8.contains(where: { $0 == 0 || $0 == 0x0A || $0 == 0x0D }) else {
      throw RequestAddress.invalid(
        "The value of the header field \(RequestAddress.printable(name)) holds a line break or a zero byte; remove it."
      )
    }
    guard let place = places[field.name.canonicalName] else { return set(name, field.value) }
    // RFC 9113, section 8.2.3 for cookies, RFC 9110, section 5.3 for the others.
    let separator = field.name == .cookie ? "; " : ", "
    fields[place].value += separator + field.value
  }

  private mutating func setIfMissing(_ name: String, _ value: String) {
    if places[name.lowercased()] == nil { set(name, value) }
  }

  private mutating func set(_ name: String, _ value: String) {
    if let place = places[name.lowercased()] {
      fields[place].value = value
    } else {
      places[name.lowercased()] = fields.count
      fields.append((name, value))
    }
  }
}
