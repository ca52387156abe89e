import HTTPTypes
import Interception

/// What a request is about, as far as clearing is concerned: whose it is, which API, which method, which
/// target.
struct CacheSubject: Sendable, Hashable {
  let partition: String
  let api: APIIdentity?
  let method: String
  /// The target URI in canonical, injective bytes.
  let target: ArraySlice<UInt8>

  /// Makes a subject of its parts.
  init(partition: String, api: APIIdentity?, method: String, target: ArraySlice<UInt8>) {
    self.partition = partition
    self.api = api
    self.method = method
    self.target = target
  }

  /// Takes from a request what it is about.
  init(_ request: Request, leavingOut volatile: VolatileParts) {
    let context = request.context
    self.init(
      partition: context.partition, api: context.api, method: request.head.method.rawValue,
      target: CacheTarget(request.head).bytes(leavingOut: volatile.parameters)[...])
  }
}
