import HTTPTypes
import Interception

/// The header fields of both protocols.
enum UploadField: String, CaseIterable {
  case tusResumable = "Tus-Resumable"
  case tusVersion = "Tus-Version"
  case tusMaxSize = "Tus-Max-Size"
  case tusChecksumAlgorithm = "Tus-Checksum-Algorithm"
  case metadata = "Upload-Metadata"
  case checksum = "Upload-Checksum"
  case expires = "Upload-Expires"
  case offset = "Upload-Offset"
  case length = "Upload-Length"
  case isComplete = "Upload-Complete"
  case limit = "Upload-Limit"
  case interopVersion = "Upload-Draft-Interop-Version"

  fileprivate var name: HTTPField.Name? { HTTPField.Name(rawValue) }

  /// Whether the value is a list, to which several fields contribute.
  private var isList: Bool {
    switch self {
    case .tusVersion, .tusChecksumAlgorithm, .metadata, .limit: true
    case .tusResumable, .tusMaxSize, .checksum, .expires, .offset, .length, .isComplete, .interopVersion:
      false
    }
  }

  /// The names of the fields with one value.
  fileprivate static let singleNames = allCases.filter { !$0.isList }.compactMap(\.name)

  fileprivate func value(in fields: HTTPFields) -> String? {
    name.flatMap { isList ? fields[$0] : fields.singleValue($0) }
  }
}

extension HTTPFields {
  /// The value of a field of an upload; nil without the field, and for different values where one is allowed.
  subscript(upload field: UploadField) -> String? {
    get { field.value(in: self) }
    set { if let name = field.name { self[name] = newValue } }
  }
}

extension HTTPFields {
  /// Whether there is a field of an upload, whatever its values.
  func contains(_ field: UploadField) -> Bool { field.name.map { contains($0) } ?? false }

  /// The error of the first field of an upload that has different values; nil if none has.
  fileprivate var repetition: RepeatedFieldError? {
    for name in UploadField.singleNames {
      do throws(RepeatedFieldError) { _ = try single(name) } catch { return error }
    }
    return nil
  }
}

/// A response, in the terms that both protocols share.
struct UploadReply: Sendable {
  /// A number of bytes in a header field.
  enum Number: Sendable, Hashable {
    case missing
    case invalid
    case value(Int64)

    init(_ text: String?) {
      guard let text else {
        self = .missing
        return
      }
      let digits = text[...].trimmingWhitespace().utf8
      let isNumber = (1...18).contains(digits.count) && digits.allSatisfy { (0x30...0x39).contains($0) }
      self = isNumber ? Int64(Substring(digits)).map(Number.value) ?? .invalid : .invalid
    }
  }

  /// What a problem document says of an append (section 6 of the draft).
  enum Problem: String, Sendable, CaseIterable {
    case mismatchingOffset = "#mismatching-upload-offset"
    case completed = "#completed-upload"
    case inconsistentLength = "#inconsistent-upload-length"
  }

  let head: HTTPResponse
  /// The position up to which the server has stored the content.
  let offset: Number
  /// The length of the whole content, as the server knows it.
  let length: Number
  /// Whether the upload is complete; always nil in tus, where the position tells it.
  var isComplete: Bool?
  /// The limits that the response names.
  var limits = UploadLimits()
  /// The time after which the server may remove the upload; nil if the response names none.
  var expires: WallTime?
  var problem: Problem?
  /// The fault of a field that is repeated with different values; nil if none is.
  let repetition: RepeatedFieldError?

  var code: Int { head.status.code }
  var isSuccess: Bool { (200..<300).contains(code) }

  /// Reads a response.
  ///
  /// - Parameters:
  ///   - problemText: The content of a response with the media type `application/problem+json`.
  ///   - now: The device's time, to which the expiry is converted.
  init(_ head: HTTPResponse, problemText: String = "", by resumption: UploadProtocol, now: WallTime) {
    self.head = head
    let fields = head.headerFields
    repetition = fields.repetition
    guard !resumption.isTus else {
      offset = Number(fields[upload: .offset])
      length = Number(fields[upload: .length])
      expires = fields[upload: .expires].flatMap { Self.time($0, now: now) }.map { end in
        // Compared with the server's own clock, so that a wrong one of this device does not matter.
        let sent = fields.singleValue(.date).flatMap { Self.time($0, now: now) }
        return sent.map { now.advanced(by: $0.duration(to: end)) } ?? end
      }
      return
    }
    offset = Number(Self.item(fields[upload: .offset]))
    length = Number(Self.item(fields[upload: .length]))
    isComplete =
      switch Self.item(fields[upload: .isComplete]) {
      case "?1": true
      case "?0": false
      default: nil
      }
    limits = UploadLimits(fields[upload: .limit] ?? "")
    expires = limits.maximumAge.map { now.advanced(by: .seconds($0)) }
    problem = Problem.allCases.first { problemText.contains($0.rawValue) }
  }

  /// Whether a response's content is a problem document.
  static func hasProblem(_ head: HTTPResponse) -> Bool {
    (400..<600).contains(head.status.code)
      && MediaTypeSyntax.essence(of: head.headerFields.mediaType ?? "") == "application/problem+json"
  }

  /// Whether the server speaks tus 1.0.0, as far as the response says.
  var speaksTus: Bool {
    guard code != 412 else { return false }
    return head.headerFields[upload: .tusResumable].map { $0 == UploadProtocol.tusVersion } ?? true
  }

  /// Parses a date; nil for anything else.
  private static func time(_ text: String, now: WallTime) -> WallTime? {
    // A date has at most 33 characters.
    text.utf8.count <= 40 ? HTTPDate.parse(text, now: now) : nil
  }

  /// Returns a structured field's item without its parameters (RFC 9651, section 3.3).
  private static func item(_ text: String?) -> String? {
    text.map { String(Substring($0.utf8.prefix { $0 != UInt8(ascii: ";") }).trimmingWhitespace()) }
  }
}

/// The limits in `Upload-Limit`, a dictionary of integers (section 4.1.4 of the draft).
struct UploadLimits: Sendable, Hashable {
  var maximumSize: Int64?
  var maximumAppend: Int64?
  var minimumAppend: Int64?
  /// In seconds.
  var maximumAge: Int64?

  init() {}

  /// Parses a field value; a known limit that isn't a number makes the whole field void.
  init(_ text: String) {
    var limits = UploadLimits()
    for member in Self.members(of: text) {
      let parts = member.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = parts[0].trimmingWhitespace()
      guard let limit = Self.limit(named: name) else { continue }
      let value = parts.count > 1 ? parts[1].prefix { $0 != ";" } : ""
      guard case .value(let number) = UploadReply.Number(String(value)) else { return }
      limits[keyPath: limit] = number
    }
    self = limits
  }

  private static func limit(named name: Substring) -> WritableKeyPath<UploadLimits, Int64?>? {
    switch name {
    case "max-size": \.maximumSize
    case "max-append-size": \.maximumAppend
    case "min-append-size": \.minimumAppend
    case "max-age": \.maximumAge
    default: nil
    }
  }

  /// Splits a dictionary at its commas, but not within strings.
  private static func members(of text: String) -> [Substring] {
    var members: [Substring] = []
    var start = text.startIndex
    var isInString = false
    var isEscaped = false
    for index in text.indices {
      switch text[index] {
      case "\\" where isInString && !isEscaped:
        isEscaped = true
        continue
      case "\"" where !isEscaped: isInString.toggle()
      case "," where !isInString:
        members.append(text[start..<index])
        start = text.index(after: index)
      default: break
      }
      isEscaped = false
    }
    return members + [text[start...]]
  }
}
