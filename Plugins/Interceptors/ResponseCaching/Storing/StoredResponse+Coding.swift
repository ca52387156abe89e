import Cryptography
import HTTPTypes
import Interception

extension StoredResponse {
  /// The maximum size of what ``encodedHead(bodyHash:)`` returns, beyond which nothing is encoded or decoded.
  private static let maximumHeadBytes = 16 << 20
  /// The version of the format; bytes of another version are not decoded.
  private static let label = "switchyard response 2"

  /// Returns the response as bytes, for a store outside of the process.
  ///
  /// They contain the whole response, a version, and a SHA-256 of each byte, which is no protection against
  /// those who can write to the store. Empty, which is never decoded, if there is no SHA-256, if
  /// the header fields and the key have more than 16 MiB, or if a time is 34,000 years from 1970.
  public func encoded() -> [UInt8] {
    guard let hash = try? HashValue(sha256: body) else { return [] }
    let head = encodedHead(bodyHash: hash)
    guard !head.isEmpty else { return [] }
    var bytes = LengthPrefixed(reserving: head.count + body.count + 16)
    bytes.append(head)
    bytes.append(body)
    return bytes.bytes
  }

  /// Restores a response from ``encoded()``; nil if a single byte is missing, surplus or changed.
  ///
  /// The response may be used like the original one, except that its age until the start of the cache that
  /// reads it is counted by the wall clock alone.
  /// A store must still compare its key with the wanted one.
  public convenience init?(encoded: [UInt8]) {
    var fields = LengthPrefixedReader(encoded[...])
    guard let head = fields.field(), head.count <= Self.maximumHeadBytes, let body = fields.field(),
      fields.isAtEnd
    else { return nil }
    self.init(encodedHead: head, body: Array(body))
  }

  /// Returns everything but the body, for a store that keeps bodies apart.
  package func encodedHead() -> [UInt8] {
    (try? HashValue(sha256: body)).map { encodedHead(bodyHash: $0) } ?? []
  }

  /// Restores a response from ``encodedHead()`` and its body; nil unless both are intact.
  package convenience init?(encodedHead: [UInt8], body: [UInt8]) {
    self.init(encodedHead: encodedHead[...], body: body)
  }

  /// Returns the length of the body that belongs to a head, which isn't verified; nil if it is malformed.
  package static func bodyCount(ofEncodedHead head: [UInt8]) -> Int? {
    var fields = LengthPrefixedReader(head[...])
    return fields.text() == label ? fields.count() : nil
  }

  private func encodedHead(bodyHash: HashValue) -> [UInt8] {
    var fields = LengthPrefixed(reserving: 2 * key.preimage.count + 1_024)
    fields.append(Self.label)
    fields.append(count: body.count)
    fields.append(key.encoded)
    fields.append(selector.encoded)
    fields.append(count: head.status.code)
    fields.append(head.status.reasonPhrase)
    head.headerFields.write(to: &fields)
    fields.append(byte: trailers == nil ? 0 : 1)
    trailers?.write(to: &fields)
    freshness.write(to: &fields)
    fields.append(byte: isInMemoryOnly ? 1 : 0)
    fields.append(count: tags.count)
    for tag in tags.map(\.name).sorted() { fields.append(tag) }
    fields.append(bodyHash.bytes)
    guard let checksum = try? HashValue(sha256: fields.bytes) else { return [] }
    fields.append(checksum.bytes)
    return fields.bytes.count <= Self.maximumHeadBytes && freshness.isEncodable ? fields.bytes : []
  }

  /// Restores a response from ``encodedHead()``, whose body is left in the store; nil unless both are intact.
  ///
  /// - Parameter readWhole: Passes on all bytes of the body in order, in chunks; false if it can't.
  package convenience init?(
    encodedHead: [UInt8], outlying body: OutlyingBody, readWhole: ((UnsafeRawBufferPointer) -> Void) -> Bool
  ) {
    guard var digest = try? Digest() else { return nil }
    var isHashed = true
    let isRead = readWhole { chunk in isHashed = digest.takes(chunk) && isHashed }
    guard isRead, isHashed, let hash = try? digest.value() else { return nil }
    self.init(encodedHead: encodedHead[...], body: [], hash: hash, outlying: body)
  }

  private convenience init?(encodedHead: ArraySlice<UInt8>, body: [UInt8]) {
    guard let hash = try? HashValue(sha256: body) else { return nil }
    self.init(encodedHead: encodedHead, body: body, hash: hash, outlying: nil)
  }

  private convenience init?(
    encodedHead: ArraySlice<UInt8>, body: [UInt8], hash: HashValue, outlying: OutlyingBody?
  ) {
    let checksumSize = HashValue.size + 8
    guard encodedHead.count > checksumSize else { return nil }
    let content = Array(encodedHead.dropLast(checksumSize))
    var end = LengthPrefixedReader(encodedHead.suffix(checksumSize))
    guard let checksum = end.field().flatMap({ HashValue(bytes: $0) }),
      (try? HashValue(sha256: content)) == checksum
    else { return nil }
    var fields = LengthPrefixedReader(content[...])
    guard fields.text() == Self.label, fields.count() == outlying?.count ?? body.count,
      let key = fields.field().flatMap({ CacheKey(encoded: $0) }),
      let selector = fields.field().flatMap({ VariantSelector(encoded: $0) }),
      let code = fields.count(upTo: 999), let reason = fields.text(),
      let headerFields = HTTPFields(from: &fields), let hasTrailers = fields.flag()
    else { return nil }
    var trailers: HTTPFields?
    if hasTrailers {
      guard let read = HTTPFields(from: &fields) else { return nil }
      trailers = read
    }
    guard let freshness = Freshness(from: &fields), let isInMemoryOnly = fields.flag(),
      let tags = Self.tags(from: &fields),
      let bodyHash = fields.field().flatMap({ HashValue(bytes: $0) }), fields.isAtEnd,
      hash == bodyHash
    else { return nil }
    let head = HTTPResponse(
      status: HTTPResponse.Status(code: code, reasonPhrase: reason), headerFields: headerFields)
    self.init(
      key: key, selector: selector, head: head, body: body, trailers: trailers, freshness: freshness,
      tags: tags, isInMemoryOnly: isInMemoryOnly, outlyingBody: outlying)
  }

  private static func tags(from fields: inout LengthPrefixedReader) -> Set<CacheRule.Tag>? {
    guard let count = fields.count() else { return nil }
    var tags: Set<CacheRule.Tag> = []
    for _ in 0..<count {
      guard let name = fields.text() else { return nil }
      tags.insert(CacheRule.Tag(name))
    }
    return tags
  }
}

extension CacheKey {
  /// The key as bytes, for a store that keeps keys outside of the process.
  ///
  /// They contain the query, so they don't belong in a log. They have no checksum; those of a whole
  /// response have one.
  public var encoded: [UInt8] {
    let target = subject.target
    var fields = LengthPrefixed(reserving: preimage.count + target.count + 160)
    fields.append(preimage)
    fields.append(subject.partition)
    fields.append(byte: subject.api == nil ? 0 : 1)
    fields.append(subject.api?.service ?? "")
    fields.append(subject.api?.name ?? "")
    fields.append(subject.method)
    fields.append(target)
    return fields.bytes
  }

  /// Restores a key from ``encoded``; nil if the bytes are malformed.
  package init?(encoded: [UInt8]) { self.init(encoded: encoded[...]) }

  init?(encoded: ArraySlice<UInt8>) {
    var fields = LengthPrefixedReader(encoded)
    guard let preimage = fields.field().map(Array.init), let partition = fields.text(),
      let hasAPI = fields.flag(), let service = fields.text(), let name = fields.text(),
      let method = fields.text(), let target = fields.field(), fields.isAtEnd
    else { return nil }
    self.init(
      preimage: preimage,
      subject: CacheSubject(
        partition: partition, api: hasAPI ? APIIdentity(service: service, name: name) : nil, method: method,
        // A copy, because a slice would retain the bytes of the whole response.
        target: Array(target)[...]))
  }
}

extension VariantSelector {
  /// The selector as bytes: the names of the fields, and the hash of their values.
  package var encoded: [UInt8] {
    var fields = LengthPrefixed(reserving: 128)
    fields.append(digest?.bytes ?? [])
    for name in names { fields.append(name.canonicalName) }
    return fields.bytes
  }

  /// Restores a selector from ``encoded``; nil if the bytes are malformed.
  package init?(encoded: [UInt8]) { self.init(encoded: encoded[...]) }

  init?(encoded: ArraySlice<UInt8>) {
    var fields = LengthPrefixedReader(encoded)
    guard let digest = fields.field() else { return nil }
    var names: [HTTPField.Name] = []
    while !fields.isAtEnd {
      guard let text = fields.text(), let name = HTTPField.Name(text), name.canonicalName == text,
        names.last.map({ $0.canonicalName < text }) ?? true
      else { return nil }
      names.append(name)
    }
    // Without names the selector matches every request, so it must be known that there are none.
    let hash = HashValue(bytes: digest)
    guard names.isEmpty ? digest.isEmpty : hash != nil else { return nil }
    self.init(names: names, digest: hash)
  }
}

extension Freshness {
  /// The maximum distance of a time from 1970, and the maximum duration, that is read, in seconds: 34,000
  /// years, so that no sum of them overflows.
  private static let bound: Int64 = 1 << 40

  /// Whether the freshness can be read after it was written.
  fileprivate var isEncodable: Bool { received.wall.seconds.magnitude <= Self.bound.magnitude }

  /// Appends the freshness to the fields of a stored response; the steady clock's time is left out, because
  /// it means nothing to another process.
  func write(to fields: inout LengthPrefixed) {
    fields.append(word: UInt64(bitPattern: received.wall.seconds))
    fields.append(word: UInt64(bitPattern: received.wall.nanoseconds))
    for duration in [initialAge, lifetime, staleWindow] { Self.write(duration, to: &fields) }
    fields.append(byte: isHeuristic ? 1 : 0)
  }

  /// Reads a freshness; nil if it is malformed.
  init?(from fields: inout LengthPrefixedReader) {
    guard let seconds = fields.word(), let nanoseconds = fields.word(),
      let initialAge = Self.duration(from: &fields), let lifetime = Self.duration(from: &fields),
      let staleWindow = Self.duration(from: &fields), let isHeuristic = fields.flag()
    else { return nil }
    let wall = WallTime(
      secondsSince1970: Int64(bitPattern: seconds), nanoseconds: Int64(bitPattern: nanoseconds))
    self.init(
      received: CacheInstant(wall: wall, steady: nil), initialAge: initialAge, lifetime: lifetime,
      staleWindow: staleWindow, isHeuristic: isHeuristic)
    guard isEncodable else { return nil }
  }

  private static func write(_ duration: Duration, to fields: inout LengthPrefixed) {
    let (seconds, attoseconds) = duration.components
    fields.append(word: UInt64(bitPattern: seconds))
    fields.append(word: UInt64(bitPattern: attoseconds))
  }

  private static func duration(from fields: inout LengthPrefixedReader) -> Duration? {
    guard let seconds = fields.word(), let attoseconds = fields.word() else { return nil }
    let duration = Duration(
      secondsComponent: Int64(bitPattern: seconds), attosecondsComponent: Int64(bitPattern: attoseconds))
    return min(max(duration, .seconds(-bound)), .seconds(bound))
  }
}

extension HTTPFields {
  /// Appends the number of the fields, then their names and values.
  func write(to fields: inout LengthPrefixed) {
    fields.append(count: count)
    for field in self {
      fields.append(field.name.rawName)
      // Values need not be UTF-8.
      field.withUnsafeBytesOfValue { fields.append(UnsafeRawBufferPointer($0)) }
    }
  }

  /// Reads fields; nil if they are malformed.
  init?(from fields: inout LengthPrefixedReader) {
    self.init()
    guard let count = fields.count() else { return nil }
    // The number is not trusted: each field takes 16 bytes, so the loop ends with the bytes.
    for _ in 0..<count {
      guard let name = fields.text().flatMap({ HTTPField.Name($0) }), let value = fields.field() else {
        return nil
      }
      append(HTTPField(name: name, lenientValue: value))
    }
  }
}
