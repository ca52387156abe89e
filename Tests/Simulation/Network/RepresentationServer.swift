import HTTPTypes
import Interception
import SwitchyardTesting

/// The API's texts, which exist in variants, and its files, which are read in parts.
///
/// `/texts/N` depends on the language, and on the media type, as `Vary` says; `/files/N` has 64 bytes, of
/// which a request can name a range.
struct RepresentationServer {
  static let fileLength = 64

  /// The fields that select a variant of a version of a text.
  static func selectingNames(_ index: Int, version: Int) -> [HTTPField.Name] {
    switch index % 5 {
    case 1: [.acceptLanguage, .accept]
    // Only every other version was translated.
    case 3: version % 2 == 0 ? [.acceptLanguage] : []
    default: [.acceptLanguage]
    }
  }

  /// The variant of a resource that a request with some fields gets, as bodies name it.
  static func variant(of resource: String, version: Int, _ field: (HTTPField.Name) -> String?) -> String {
    guard let path = ResourcePath(resource) else { return "" }
    switch path.kind {
    case "texts":
      return selectingNames(path.index, version: version).map { field($0) ?? "" }.joined(separator: "/")
    case "items", "me": return CachingOfResource.varies(path.index) ? field(.acceptLanguage) ?? "" : ""
    default: return ""
    }
  }

  func text(_ name: String, _ index: Int, version: Int, _ arrival: SimulatedArrival, _ fields: HTTPFields)
    -> Response
  {
    var reply = Response(status: .ok, headerFields: fields)
    let names = Self.selectingNames(index, version: version)
    let variant = Self.variant(of: name, version: version, arrival.field)
    reply.head.headerFields[.vary] =
      index % 5 == 2 ? "*" : names.isEmpty ? nil : names.map(\.canonicalName).joined(separator: ", ")
    reply.head.headerFields[.cacheControl] = index % 5 == 4 ? "no-cache" : "max-age=60"
    let tag = "\"v\(version)-\(variant)\""
    if index % 5 > 1 { reply.head.headerFields[.eTag] = tag }
    if let condition = arrival.field(.ifNoneMatch), condition.contains(tag), index % 5 > 1 {
      reply.head.status = .notModified
      return reply
    }
    reply.body = .bytes(Content(resource: name, version: version, owner: "", language: variant).bytes)
    return reply
  }

  func file(_ index: Int, version: Int, _ arrival: SimulatedArrival, _ fields: HTTPFields) -> Response {
    let file = FileBody(version: version).bytes
    var reply = Response(status: .ok, headerFields: fields, bytes: file)
    reply.head.headerFields[.cacheControl] =
      ["max-age=60", "max-age=10", "no-cache", "max-age=30"][index % 4]
    let tag = "\"v\(version)\""
    if index % 4 < 3 { reply.head.headerFields[.eTag] = tag }
    if arrival.field(.ifNoneMatch) == tag, index % 4 < 3 {
      return Response(status: .notModified, headerFields: reply.head.headerFields)
    }
    guard let text = arrival.field(.range) else { return reply }
    guard let range = FileBody.bounds(of: text) else {
      reply.head.status = .rangeNotSatisfiable
      reply.head.headerFields[.contentRange] = "bytes */\(Self.fileLength)"
      reply.body = .empty
      return reply
    }
    reply.head.status = .partialContent
    reply.head.headerFields[.contentRange] = FileBody.contentRange(range)
    reply.body = .bytes(Array(file[range]))
    return reply
  }
}

/// The content of a file, each of whose bytes shows the version.
struct FileBody {
  let version: Int

  init(version: Int) { self.version = version }

  /// Reads a part of a file; nil if the bytes are not those of one version.
  init?(_ bytes: [UInt8]) {
    guard let first = bytes.first, first > 0x40, bytes.allSatisfy({ $0 == first }) else { return nil }
    version = Int(first) - 0x40
  }

  var bytes: [UInt8] {
    Array(repeating: UInt8(truncatingIfNeeded: 0x40 + version), count: RepresentationServer.fileLength)
  }

  /// Returns the bytes that a `Range` of this simulation names; nil if there are none.
  static func bounds(of text: String) -> Range<Int>? {
    let ends = text.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
    let (length, last) = (RepresentationServer.fileLength, Int(ends[1]))
    guard let first = Int(ends[0]) else { return max(length - (last ?? 0), 0)..<length }
    guard first < length else { return nil }
    return first..<min((last ?? length - 1) + 1, length)
  }

  static func contentRange(_ bounds: Range<Int>) -> String {
    "bytes \(bounds.lowerBound)-\(bounds.upperBound - 1)/\(RepresentationServer.fileLength)"
  }
}
