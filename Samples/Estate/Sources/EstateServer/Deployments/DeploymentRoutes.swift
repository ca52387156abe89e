import Deployment
package import Foundation
import HTTPServing
import HTTPTypes
import Interception
import Synchronization

/// `/v1/deployment`, the signed document of what changes in the app without a release, and what publishes
/// another one for the demonstration.
///
/// In production the document is a file that `switchyard deploy` has signed, on any web server.
package struct DeploymentRoutes: Sendable {
  static let path = "/v1/deployment"
  private static let keyName = "demo"
  private static let privateKeyName = "deployment-key.pem"
  private static let publicKeyName = "deployment-public.pem"

  /// What the document changes.
  private enum Change: String {
    case none
    case spring
    case deadly
    /// As ``none``, but changed after it was signed.
    case forged

    var parts: [(name: String, json: String)] {
      switch self {
      case .none, .forged: []
      case .spring:
        [
          ("flags", #"{"home.price-label": "asking price"}"#),
          (
            "routes",
            """
            {
              "rules": [{"from": "estate://offers", "to": "estate://listings/condo"}],
              "modulesOff": ["Help"]
            }
            """
          ),
        ]
      case .deadly: [("flags", #"{"demonstration.dies": true}"#)]
      }
    }
  }

  private final class Current: Sendable {
    let document = Mutex<(version: UInt64, bytes: [UInt8])>((0, []))
  }

  private let privateKey: String
  private let current = Current()
  private let now: @Sendable () -> Date

  /// Reads the key of a state directory, and makes it if there is none.
  ///
  /// - Throws: `StateDirectoryError`.
  package init(
    in directory: StateDirectory, searchPath: String? = ProcessInfo.processInfo.environment["PATH"],
    now: @escaping @Sendable () -> Date = { Date() }
  ) throws {
    privateKey = try directory.signingKey(
      Self.privateKeyName, publicKey: Self.publicKeyName, searchPath: searchPath)
    self.now = now
  }

  func add(to router: inout HTTPRouter<Answer>) {
    router.on(.get, Self.path) { [self] request in
      let bytes = current.document.withLock { $0.bytes }
      guard !bytes.isEmpty else { throw APIError.notFound(request) }
      return Answer(mediaType: "application/octet-stream", bytes: bytes)
    }
    router.on(.put, "/v1/demo/deployment/{change}") { [self] request, name in
      guard let change = Change(rawValue: name) else { throw APIError.notFound(request) }
      return try Answer.json(["version": try publish(change)])
    }
  }

  /// Publishes a document under a version that is higher than those before, also those before a restart.
  private func publish(_ change: Change) throws -> UInt64 {
    let time = now().timeIntervalSince1970
    let wall = WallTime(secondsSince1970: Int64(time))
    return try current.document.withLock { document in
      let version = max(UInt64(time * 1_000), document.version + 1)
      var draft = DeploymentDraft(
        version: version, validFrom: wall.advanced(by: .seconds(-86_400)),
        until: wall.advanced(by: .seconds(30 * 86_400)))
      for part in change.parts { draft.setPart(part.name, to: Array(part.json.utf8)) }
      var bytes = try draft.signed(by: Self.keyName, privateKeyPEM: privateKey)
      if change == .forged { bytes += Array("part flags 2\n{}\n".utf8) }
      document = (version, bytes)
      return version
    }
  }
}
