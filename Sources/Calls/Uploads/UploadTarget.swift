import HTTPTypes
import Interception

/// The URL of an upload on the server, which may be a secret: with some servers it suffices to change the
/// upload.
struct UploadTarget: Sendable, Hashable {
  let scheme: String
  let authority: String
  /// The path and query.
  let path: String

  /// The maximum length of the URL that a server gives an upload, in bytes; the validation of requests
  /// refuses longer ones by default.
  static let maximumLength = 8 << 10

  /// Parses an absolute URL; returns nil if it is not one of http or https.
  init?(_ url: String) {
    guard let head = try? Request(url).head, let scheme = head.scheme, let authority = head.authority,
      let path = head.path, scheme == "https" || scheme == "http"
    else { return nil }
    (self.scheme, self.authority, self.path) = (scheme, authority, path)
  }

  /// Creates the target that a response's `Location` names, relative to the URL of its request (RFC 9110,
  /// section 10.2.2).
  ///
  /// - Throws: An error with the fault ``UploadFault/notResumable`` without the field, and
  ///   ``UploadFault/invalidLocation`` if there are different ones, or it is no http or https URL, leads from
  ///   https to http, or is longer than ``maximumLength``.
  init(of response: HTTPResponse, to base: String) throws(NetworkError) {
    let field: HTTPField?
    do throws(RepeatedFieldError) {
      field = try response.headerFields.single(.location)
    } catch {
      throw .upload(.invalidLocation, "\(error)")
    }
    guard let field else { throw .upload(.notResumable) }
    guard let text = LocationText.encoded(field), !text.isEmpty,
      let target = UploadTarget(URIReference(text).resolved(against: URIReference(base)).description),
      target.scheme == "https" || base.prefix(6).lowercased() != "https:"
    else { throw .upload(.invalidLocation) }
    guard target.isShort else {
      throw .upload(
        .invalidLocation,
        "The URL that the server gave the upload has \(target.url.utf8.count) bytes, of at most "
          + "\(Self.maximumLength); check the server.")
    }
    self = target
  }

  /// The URL.
  var url: String { "\(scheme)://\(authority)\(path)" }

  /// Whether the URL is one that requests and records can have.
  var isShort: Bool { url.utf8.count <= Self.maximumLength }

  /// Points a request at the target; at another origin it loses its credentials.
  func apply(to request: inout Request) {
    let origin = RequestOrigin(request.head)
    request.head.scheme = scheme
    request.head.authority = authority
    request.head.path = path
    if RequestOrigin(request.head) != origin { request.leaveOrigin() }
  }

  /// Returns a text without the parts of the URL that may be secret.
  func hidden(in text: String) -> String {
    var hidden = text
    let plain = String(Substring(path.utf8.prefix { $0 != UInt8(ascii: "?") }))
    // A shorter path is no secret, and could be a part of any text.
    for secret in [path, plain] where secret.utf8.count >= 8 {
      hidden = hidden.replacing(secret, with: "/…")
    }
    return hidden
  }
}
