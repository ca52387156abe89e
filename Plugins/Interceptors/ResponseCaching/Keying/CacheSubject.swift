import HTTPTypes
import Interception

/// What a request is about, as far as clearing is concerned: whose it is, which API, which method, which target.
struct CacheSubject: Sendable, Hashable {
  let partition: String
  let api: APIIdentity?
  let method: String
  /// The target URI in canonical, injective bytes.
  let target: [UInt8]

  init(_ request: Request, leavingOut volatile: VolatileParts) {
    let (context, head) = (request.context, request.head)
    partition = context.partition
    api = context.api
    method = head.method.rawValue
    target = CacheTarget.bytes(of: head, leavingOut: volatile.parameters)
  }
}
