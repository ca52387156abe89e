import BodyCompression
import CookieKeeping
import CurlTransport
import HTTPTypes
import Interception
import RedirectFollowing
import RequestAuthorization

/// The stock interceptors over libcurl, with one cookie store for all calls.
final class SwitchyardClient: Sendable {
  private let origin: String
  private let redirectLimit: Int
  private let dispatcher = CurlDispatcher()
  private let cookies = CookieStore()
  private let compression = CompressionInterceptor()

  init(at authority: String, redirectLimit: Int) {
    origin = authority
    self.redirectLimit = redirectLimit
  }

  /// Makes the calls one after another.
  func results(of calls: [PeerCall]) async throws -> [PeerResult] {
    var schemes: [PeerCall.Credentials: AuthorizationInterceptor] = [:]
    var results: [PeerResult] = []
    for call in calls {
      var authorization: [any Interceptor] = []
      if let credentials = call.credentials {
        // A Digest scheme keeps the server's nonce for its next call.
        let scheme = try schemes[credentials] ?? interceptor(for: credentials)
        schemes[credentials] = scheme
        authorization = [scheme]
      }
      results.append(try await result(of: call, authorization))
    }
    return results
  }

  private func interceptor(for credentials: PeerCall.Credentials) throws -> AuthorizationInterceptor {
    let origins = ["http://\(origin)"]
    return switch credentials {
    case .basic(let user, let password):
      try AuthorizationInterceptor(BasicAuthorization(user: user, password: password), for: origins)
    case .digest(let user, let password):
      try AuthorizationInterceptor(DigestAuthorization(user: user, password: password), for: origins)
    case .bearer(let token):
      try AuthorizationInterceptor(BearerAuthorization(AccessToken(token)), for: origins)
    }
  }

  private func result(of call: PeerCall, _ authorization: [any Interceptor]) async throws -> PeerResult {
    let limit = redirectLimit
    let pipeline = try Pipeline(over: dispatcher) {
      RedirectInterceptor(limit: limit)
      CookieInterceptor(cookies)
      for interceptor in authorization { interceptor }
      compression
    }
    var request = Request(
      method: HTTPRequest.Method(call.method) ?? .get, scheme: "http", authority: origin, path: call.path,
      body: call.body.map { .bytes(Array($0.utf8)) } ?? .empty)
    for (name, value) in call.fields {
      if let name = HTTPField.Name(name) { request.head.headerFields[name] = value }
    }
    let response: Response
    do throws(NetworkError) {
      response = try await pipeline.send(request)
    } catch {
      guard let redirect = error.underlying as? RedirectError, case .tooMany = redirect.rule else {
        throw error
      }
      return PeerResult(failure: "tooMany")
    }
    let followed = response.exchange.redirects
    let target = followed.last.map { $0.url.drop { $0 != ":" }.dropFirst(3).drop { $0 != "/" } }
    return PeerResult(
      status: response.status.code, redirects: followed.map(\.status.code),
      target: target.map(String.init) ?? call.path,
      text: String(decoding: try await response.body.collect(upTo: 1 << 20), as: UTF8.self))
  }
}
