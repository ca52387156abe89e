#if SQLite
import DurableQueues
import Interception
import ResponseCaching

/// The hashes by which a stored response is found and removed, as they stand in the columns of the database.
///
/// A collision does no harm at a lookup, because the whole key is compared, and at a removal it costs a miss.
struct ResponseColumns: Sendable, Hashable {
  let key: Int64
  let target: Int64
  let subject: Int64
  let partition: Int64
  /// Zero for a request without an API, as is ``api``.
  let service: Int64
  let api: Int64

  init(_ key: CacheKey) {
    let subject = key.subject
    self.key = Self.hash(of: key)
    target = Self.hash(of: subject.target)
    self.subject = Self.hash(of: subject)
    partition = Self.hash(of: subject.partition)
    service = subject.api.map { Self.hash(of: $0.service) } ?? 0
    api = subject.api.map(Self.hash) ?? 0
  }

  static func hash(of key: CacheKey) -> Int64 { hash(of: key.preimage[...]) }

  static func hash(of text: String) -> Int64 { hash(of: Array(text.utf8)[...]) }

  static func hash(of tag: CacheRule.Tag) -> Int64 { hash(of: tag.name) }

  static func hash(of api: APIIdentity) -> Int64 {
    hash(of: Array("\(api.service.utf8.count) \(api.service)\(api.name)".utf8)[...])
  }

  static func hash(of subject: CacheSubject) -> Int64 {
    let parts = [hash(of: subject.partition), subject.api.map(hash) ?? 0, hash(of: subject.method)]
    return hash(of: Array("\(parts) \(hash(of: subject.target))".utf8)[...])
  }

  static func hash(of bytes: ArraySlice<UInt8>) -> Int64 { Int64(bitPattern: RecordChecksum.of(bytes)) }
}
#endif
