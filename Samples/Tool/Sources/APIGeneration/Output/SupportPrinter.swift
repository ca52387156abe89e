/// Prints what the generated declarations of a service share.
struct SupportPrinter {
  let access: String
  let namespace: String
  let usesFiles: Bool
  let usesComposed: Bool
  let usesContent: Bool
  let usesDateText: Bool
  let usesHeaders: Bool

  func print(to code: inout CodeWriter) {
    code.line()
    code.line("// MARK: Support")
    code.line()
    code.block("extension \(namespace)") { code in
      for line in Self.json(access) { code.line(line) }
      if usesFiles { for line in Self.file(access) { code.line(line) } }
      if usesContent { for line in Self.content { code.line(line) } }
      if usesComposed { for line in Self.composed { code.line(line) } }
      if usesHeaders { for line in Self.headers { code.line(line) } }
      if usesDateText {
        code.line()
        code.line("/// A date in RFC 3339 format.")
        code.line("fileprivate static func text(_ date: Date) -> String { date.formatted(.iso8601) }")
      }
    }
  }

  private static func lines(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  private static func json(_ access: String) -> [String] {
    lines(
      """
      /// Any value of JSON.
      \(access)indirect enum JSON: Hashable, Codable, Sendable {
        case null
        case boolean(Bool)
        case integer(Int)
        case number(Double)
        case text(String)
        case list([JSON])
        case object([String: JSON])

        \(access)init(from decoder: any Decoder) throws {
          let container = try decoder.singleValueContainer()
          if container.decodeNil() {
            self = .null
          } else if let value = try? container.decode(Bool.self) {
            self = .boolean(value)
          } else if let value = try? container.decode(Int.self) {
            self = .integer(value)
          } else if let value = try? container.decode(Double.self) {
            self = .number(value)
          } else if let value = try? container.decode(String.self) {
            self = .text(value)
          } else if let value = try? container.decode([JSON].self) {
            self = .list(value)
          } else {
            self = .object(try container.decode([String: JSON].self))
          }
        }

        \(access)func encode(to encoder: any Encoder) throws {
          var container = encoder.singleValueContainer()
          switch self {
          case .null: try container.encodeNil()
          case .boolean(let value): try container.encode(value)
          case .integer(let value): try container.encode(value)
          case .number(let value): try container.encode(value)
          case .text(let value): try container.encode(value)
          case .list(let value): try container.encode(value)
          case .object(let value): try container.encode(value)
          }
        }
      }

      /// A key of any name.
      fileprivate struct JSONKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ name: String) { stringValue = name }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
      }
      """)
  }

  private static func file(_ access: String) -> [String] {
    lines(
      """

      /// A file of a form.
      \(access)struct FileContent: Sendable {
        \(access)var body: RequestBody
        \(access)var fileName: String
        \(access)var contentType: String

        \(access)init(_ body: RequestBody, fileName: String, contentType: String = "application/octet-stream") {
          self.body = body
          self.fileName = fileName
          self.contentType = contentType
        }

        fileprivate func append(to form: inout MultipartForm, named name: String) throws(ParamsError) {
          do throws(NetworkError) {
            try form.append(body, named: name, fileName: fileName, contentType: contentType)
          } catch {
            throw ParamsError(field: name, error.reason)
          }
        }
      }
      """)
  }

  private static let headers = lines(
    """

    /// Sets a header field, unless its value would be altered.
    fileprivate static func set(
      _ key: String, to value: String, in fields: inout HTTPFields
    ) throws(ParamsError) {
      guard let name = HTTPField.Name(key), HTTPField.isValidValue(value) else {
        throw ParamsError(field: key, "a header field can't have the value; remove control characters and outer spaces.")
      }
      fields[name] = value
    }
    """)

  private static let content = lines(
    """

    /// Encodes a value as JSON.
    fileprivate static func json(_ value: some Encodable) throws(ParamsError) -> RequestBody {
      do {
        return .bytes(try JSONCoding().encode(value))
      } catch {
        throw ParamsError((error as? NetworkError)?.reason ?? "The content cannot be represented in JSON.")
      }
    }
    """)

  private static let composed = lines(
    """

    /// Encodes a value as JSON text.
    fileprivate static func jsonText(_ value: some Encodable) throws(ParamsError) -> String {
      do {
        return String(decoding: try JSONCoding().encode(value), as: UTF8.self)
      } catch {
        throw ParamsError((error as? NetworkError)?.reason ?? "The param cannot be represented in JSON.")
      }
    }

    /// Returns the names and values by which a value is sent in a query.
    fileprivate static func fields(
      _ value: some Encodable, _ name: String, isDeep: Bool, explodes: Bool
    ) throws(ParamsError) -> [(String, String)] {
      let json: JSON
      do {
        json = try JSONCoding().decode(JSON.self, from: try JSONCoding().encode(value))
      } catch {
        throw ParamsError(field: name, "The value cannot be written in a query.")
      }
      return json.fields(name, isDeep: isDeep, explodes: explodes)
    }
    """)

  /// The extension that composed params need.
  func printFields(to code: inout CodeWriter) {
    guard usesComposed else { return }
    code.line()
    for line in Self.lines(
      """
      extension \(namespace).JSON {
        fileprivate func fields(_ name: String, isDeep: Bool, explodes: Bool) -> [(String, String)] {
          switch self {
          case .list(let values):
            let texts = values.map(\\.fieldText)
            return explodes ? texts.map { (name, $0) } : [(name, texts.joined(separator: ","))]
          case .object(let values):
            let pairs = values.sorted { $0.key < $1.key }
            if isDeep {
              return pairs.flatMap { $0.value.fields("\\(name)[\\($0.key)]", isDeep: true, explodes: true) }
            }
            guard !explodes else { return pairs.map { ($0.key, $0.value.fieldText) } }
            return [(name, pairs.flatMap { [$0.key, $0.value.fieldText] }.joined(separator: ","))]
          default: return [(name, fieldText)]
          }
        }

        private var fieldText: String {
          switch self {
          case .null: ""
          case .boolean(let value): String(value)
          case .integer(let value): String(value)
          case .number(let value): String(value)
          case .text(let value): value
          case .list, .object:
            (try? JSONCoding().encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
          }
        }
      }
      """)
    { code.line(line) }
  }
}
