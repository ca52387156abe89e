import Cryptography
import HTTPTypes
import Interception

/// Builds the requests of an upload from that of its user.
struct UploadRequests: Sendable {
  /// The request that creates the upload.
  let request: Request
  let resumption: UploadProtocol
  /// The length of the file.
  let length: Int64

  /// The fields of the content, which describe the whole file and not a part of it.
  private static let contentFields: [HTTPField.Name] =
    [.contentDisposition, .contentEncoding, .contentLanguage, .contentLocation, .contentType]
    + ["Content-Digest", "Content-MD5", "Digest", "Repr-Digest", "Idempotency-Key"].compactMap {
      HTTPField.Name($0)
    }
  /// Responses of which only the head matters have little content.
  private static let shortDelivery = RequestOptions.Delivery.buffered(upTo: 1 << 20)

  /// Checks that the request can be that of an upload.
  func check() throws(NetworkError) {
    let head = request.head
    guard head.method == .post || (!resumption.isTus && head.method == .put) else {
      throw Self.unfit("must be a POST\(resumption.isTus ? "" : " or a PUT"); change its method")
    }
    guard request.body.isEmpty else { throw Self.unfit("has a body; remove it, the file is the content") }
    guard head.authority != nil, UploadTarget(base) != nil else {
      throw Self.unfit("needs a valid http or https URL; correct it")
    }
    if let obstacle = request.obstacle(to: .dividing) {
      throw Self.unfit("\(obstacle.clause), and an upload has requests of its own; send it with a dispatcher")
    }
    for field in UploadField.allCases where head.headerFields.contains(field) {
      throw Self.unfit("has the field \(field.rawValue), which the upload sets itself; remove it")
    }
    guard head.headerFields[.contentLength] == nil else {
      throw Self.unfit("has the field Content-Length, which the upload sets itself; remove it")
    }
    guard case .tus(let metadata, _) = resumption else { return }
    for name in metadata.keys where !Self.isMetadataName(name) {
      throw Self.unfit("has metadata with a name that is not ASCII without spaces and commas; rename it")
    }
  }

  private static func isMetadataName(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: ",") }
  }

  private static func unfit(_ fault: String) -> NetworkError {
    NetworkError(.invalidRequest, "The request of the upload \(fault).")
  }

  /// The URL of the request.
  var base: String {
    let head = request.head
    return "\(head.scheme ?? "https")://\(head.authority ?? "")\(head.path ?? "/")"
  }

  /// The fields that identify the upload; its record is used only if they are the same.
  ///
  /// - Parameter identity: Replaces the URL, if it is not nil.
  func identity(_ identity: String?) -> [String] {
    let head = request.head
    let place = identity.map { ["named", $0] } ?? ["url", base]
    switch resumption {
    case .tus(let metadata, _): return ["tus"] + place + [Self.text(metadata)]
    case .httpDraft:
      let described: [HTTPField.Name] = [.contentType, .contentDisposition, .contentEncoding]
      // Values that are not UTF-8 must differ, too.
      return ["draft", head.method.rawValue] + place
        + described.map { FieldText.latin1(head.headerFields.bytes(of: $0) ?? []) }
    }
  }

  /// Returns the request of a step.
  func request(
    for step: UploadPlan.Step, at target: UploadTarget?, body: RequestBody = .empty, checksum: String? = nil
  ) -> Request {
    switch step {
    case .discover: return bare(.options, at: nil, hasVersion: false)
    case .create: return creation
    case .locate: return bare(.head, at: target)
    case .append(let range, let isLast):
      var append = bare(.patch, at: target)
      append.body = body
      append.options.delivery = request.options.delivery
      append.head.headerFields[upload: .offset] = String(range.lowerBound)
      append.head.headerFields[upload: .checksum] = checksum
      append.head.headerFields[.contentType] =
        resumption.isTus ? "application/offset+octet-stream" : "application/partial-upload"
      if !resumption.isTus { append.head.headerFields[upload: .isComplete] = isLast ? "?1" : "?0" }
      // After a loss the position must be asked first: the part may have been stored in whole or in part.
      append.context.isIdempotent = false
      append.context.isSentOnce = true
      return append
    }
  }

  /// Returns the request that removes the upload from the server.
  func removal(of target: UploadTarget) -> Request { bare(.delete, at: target) }

  /// A new request with the user's fields and options, for the same login.
  private var plain: Request {
    Request(request.head, options: request.options, context: request.context).identified(like: request)
  }

  private var creation: Request {
    var creation = plain
    creation.options.delivery = Self.shortDelivery
    creation.context.cacheRule = .off
    creation.head.headerFields[upload: .length] = String(length)
    addVersion(to: &creation)
    switch resumption {
    case .tus(let metadata, _):
      if !metadata.isEmpty { creation.head.headerFields[upload: .metadata] = Self.text(metadata) }
    case .httpDraft: creation.head.headerFields[upload: .isComplete] = "?0"
    }
    return creation
  }

  /// Returns a request without content that has the user's fields and options.
  private func bare(_ method: HTTPRequest.Method, at target: UploadTarget?, hasVersion: Bool = true)
    -> Request
  {
    var bare = plain
    bare.head.method = method
    for name in Self.contentFields { bare.head.headerFields[name] = nil }
    target?.apply(to: &bare)
    bare.options.delivery = Self.shortDelivery
    bare.context.isIdempotent = nil
    // A stored response to HEAD would name an old position.
    bare.context.cacheRule = .off
    if hasVersion { addVersion(to: &bare) }
    return bare
  }

  private func addVersion(to request: inout Request) {
    if resumption.isTus {
      request.head.headerFields[upload: .tusResumable] = UploadProtocol.tusVersion
    } else {
      request.head.headerFields[upload: .interopVersion] = UploadProtocol.interopVersion
    }
  }

  /// Returns the value of `Upload-Metadata`, sorted by name.
  private static func text(_ metadata: [String: String]) -> String {
    metadata.sorted { $0.key < $1.key }.map { name, value in
      value.isEmpty ? name : "\(name) \(Base64.encode(Array(value.utf8)))"
    }.joined(separator: ",")
  }
}
