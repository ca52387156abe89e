import HTTPTypes
import Interception

/// What a request is about, as far as clearing is concerned: whose it is, which API, which method, which target.
struct CacheSubject: Sendable, Hashable {
  let partition: String
  let api: APIIdentity?
  let method: String
  /// The target URI in canonical, injective bytes.
  let target: ArraySlice<UInt8>

  /// Takes from a request what it is about.
  init(_ request: Request, leavingOut volatile: VolatileParts) {
    self.init(request, target: CacheTarget.bytes(of: request.head, leavingOut: volatile.parameters)[...])
  }

  /// Takes from a request what it is about; its target is written already.
  init(_ request: Request, target: ArraySlice<UInt8>) {
    let context = request.context
    partition = context.partition
    api = context.api
    method = request.head.method.rawValue
    self.target = target
  }
}
