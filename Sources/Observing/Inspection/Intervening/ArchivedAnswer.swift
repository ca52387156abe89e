import BodyFormats
import Cryptography
import HTTPTypes
import Interception

/// The response of an entry of an HTTP Archive (HAR 1.2) as the answer of a rule.
enum ArchivedAnswer {
  /// The maximum length of an archive, in bytes.
  static let maximumFileLength = 32 << 20
  private static let maximumDepth = 64

  /// Why an archive has no such answer: the rest of a sentence that begins with the file.
  struct Fault: Error, Equatable {
    let problem: String
  }

  /// Returns the answer of an entry, which is counted from 0.
  ///
  /// The content of an archive is decoded, and the fields of the recorded exchange are not those of the
  /// answer: its length, its coding, its cookies and its age.
  static func answer(_ entry: Int, of archive: [UInt8]) throws(Fault) -> InterventionRule.Answer {
    do {
      let document = try JSONDocument(
        archive, acceptsDuplicateKeys: true, maximumDepth: maximumDepth, maximumLength: maximumFileLength)
      let entries = try [JSONDocument](json: document["log"]["entries"])
      guard entries.indices.contains(entry) else {
        throw Fault(problem: "has \(entries.count) entries; choose one, from 0")
      }
      return try answer(entries[entry]["response"])
    } catch let fault as Fault {
      throw fault
    } catch {
      throw Fault(problem: "is no archive: \((error as? BodyDecodingError)?.reason ?? "it can't be read.")")
    }
  }

  private static func answer(_ response: JSONDocument) throws -> InterventionRule.Answer {
    let code = try Int(json: response["status"])
    guard (200...599).contains(code) else {
      throw Fault(problem: "has no response in this entry, but the status \(code); choose another one")
    }
    var fields = HTTPFields()
    for header in try [JSONDocument](json: response["headers"]) {
      let (name, value) = (try String(json: header["name"]), try String(json: header["value"]))
      // Browsers also list the fields that HTTP/2 doesn't send as fields.
      guard let name = HTTPField.Name(name), HTTPField.isValidValue(value) else { continue }
      fields.append(HTTPField(name: name, value: value))
    }
    fields.removeFieldsOfExchange()
    let content = try response["content"]
    let text = try content[JSONField<String?>("text")] ?? ""
    let isCoded = try content[JSONField<String?>("encoding")] == "base64"
    guard let body = isCoded ? Base64.decode(Array(text.utf8)[...]) : Array(text.utf8) else {
      throw Fault(problem: "has a content in this entry that is not Base64; choose another one")
    }
    guard body.count <= InterventionRules.maximumFileLength else {
      throw Fault(problem: "has a content of \(body.count) bytes in this entry; choose a shorter one")
    }
    if fields[.contentType] == nil { fields[.contentType] = try content[JSONField<String?>("mimeType")] }
    return InterventionRule.Answer(
      status: HTTPResponse.Status(code: code), headerFields: fields, body: body)
  }
}

extension HTTPFields {
  /// Removes the fields that belong to a recorded exchange, and not to the answer of a rule.
  mutating func removeFieldsOfExchange() {
    for name in [
      HTTPField.Name.contentLength, .contentEncoding, .transferEncoding, .connection, .date, .age, .expires,
      .setCookie, .alteredBy,
    ] {
      self[name] = nil
    }
  }
}
