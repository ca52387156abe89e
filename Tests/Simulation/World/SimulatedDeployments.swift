import APIManagers
import Deployment
import FeatureFlags
import Interception
import SwitchyardTesting

/// A deployment document on its way to the app, and what happens to it.
package struct Delivery: Sendable {
  enum Fate: Sendable, CaseIterable {
    case whole, torn, changed
    /// One of its parts can't be applied.
    case hasBadPart
    /// A thief of the first key has signed it, with a higher version than all others.
    case stolen
    /// It arrives when it has expired.
    case late
    /// The process is killed when the document is stored, and before it is applied.
    case killed
  }

  let version: Int
  let fate: Fate

  /// A version that is seldom the next one: documents arrive twice, late and out of order.
  init(using random: inout SeededRandom) {
    version = Int.random(in: 1...12, using: &random)
    fate =
      Int.random(in: 0..<2, using: &random) == 0
      ? .whole : Fate.allCases.randomElement(using: &random) ?? .whole
  }

  /// The version that the document has, which is that of its content.
  var number: Int { fate == .stolen ? 100 + version : version }
  /// The name of the key; the second one signs the later versions, and revokes the first one.
  var key: String { fate == .stolen || version <= 6 ? "first" : "second" }
  var revokesFirst: Bool { key == "second" }
  /// Whether the document arrives as it was signed.
  var isWhole: Bool { fate != .torn && fate != .changed && fate != .hasBadPart }
  /// The seconds after the start of the history after which it is not accepted.
  var lastSecond: Int { fate == .late ? -60 : 10_000 }

  /// The bytes as they arrive.
  func bytes(using random: inout SeededRandom) throws(DeploymentError) -> [UInt8] {
    var draft = DeploymentDraft(
      version: UInt64(number), validFrom: VirtualClock.start.advanced(by: .seconds(-10_000)),
      until: VirtualClock.start.advanced(by: .seconds(lastSecond)))
    if revokesFirst { draft.revokedKeys = ["first"] }
    draft.setPart("flags", to: Array("{\"number\": \(number)}".utf8))
    draft.setPart(
      "endpoints",
      to: Array("[{\"service\": \"deployed\", \"api\": \"none\", \"timeouts\": {\"idle\": \(number)}}]".utf8))
    draft.setPart("zone", to: Array((fate == .hasBadPart ? "bad" : "\(number)").utf8))
    var bytes = try draft.signed(by: key, privateKeyPEM: DeploymentKeys.privateKeys[key] ?? "")
    switch fate {
    case .torn: bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random))
    case .changed: bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 1
    default: break
    }
    return bytes
  }
}

/// What the app has on its disk of deployment documents, in all lives.
struct DeploymentFile {
  var bytes: [UInt8]?
  var record = DeploymentRecord()
}

/// What deployment documents change in a life of the app.
final class DeployedState: @unchecked Sendable {
  // Accessed on the scheduler's thread only.

  static let number = FeatureFlag("number", default: 0)
  private static let api = APIIdentity(service: "deployed", name: "none")

  private struct NoAPI: API {
    static let endpoint = Endpoint<NoParams>(
      Service("deployed", at: ServiceAddress(authority: "deployed.example")), "none", path: "/")
  }

  private let flags: DeployedFlags
  private let client: APIClient
  private let verifier: DeploymentVerifier
  private let zone = DeployedZone()

  init(_ client: APIClient) throws {
    flags = try DeployedFlags([Self.number])
    self.client = client
    verifier = try DeploymentVerifier(
      trusting: ["first", "second"].map {
        DeploymentKey($0, publicKeyPEM: DeploymentKeys.publicKeys[$0] ?? "")
      }, appVersion: "1", installation: "simulated")
  }

  private var parts: [DeploymentPart] {
    let zone = zone
    return [
      .flags(flags), .endpoints(of: client, [NoAPI.self]),
      DeploymentPart("zone") { content in
        guard let number = Int(String(decoding: content, as: UTF8.self)) else {
          throw DeploymentPart.Fault("should be a number")
        }
        return { zone.number = number }
      } reset: {
        zone.number = 0
      },
    ]
  }

  /// The numbers of the documents that the parts have; one, if a document is applied whole or not at all.
  var numbers: Set<Int> {
    let idle = client.overrides.override(of: Self.api)?.timeouts[.idle]
    return [flags[Self.number], idle.map { Int($0.components.seconds) } ?? 0, zone.number]
  }

  /// Applies the stored document at the start of a life.
  func restore(_ file: DeploymentFile) throws(DeploymentError) {
    guard let bytes = file.bytes else { return }
    try DeploymentPlan(try verifier.restore(bytes, after: file.record), parts: parts).apply()
  }

  /// Verifies and stores a document, and applies it unless the process ends before.
  func receive(
    _ bytes: [UInt8], now: WallTime, _ file: inout DeploymentFile, isKilled: Bool
  ) throws(DeploymentError) {
    let document = try verifier.verify(bytes, now: now, after: file.record)
    let plan = try DeploymentPlan(document, parts: parts)
    file.record.accept(document)
    file.bytes = bytes
    if !isKilled { plan.apply() }
  }
}

/// What the app's own part changes.
private final class DeployedZone: @unchecked Sendable {
  // Accessed on the scheduler's thread only.
  var number = 0
}

/// Which document the app must have, by rules that are written without the package's code.
struct DeploymentOracle {
  private var versions: [String: Int] = [:]
  private var isFirstRevoked = false
  /// The number of the document that is applied; 0 if there is none.
  private(set) var number = 0

  /// Returns whether a document must be accepted, and notes it.
  mutating func receive(_ delivery: Delivery, at second: Int) -> Bool {
    guard delivery.isWhole, second >= -10_000, second <= delivery.lastSecond else { return false }
    if delivery.key == "first", isFirstRevoked { return false }
    let counted = versions.filter { $0.key == "second" || !(isFirstRevoked || delivery.revokesFirst) }
    guard delivery.number > counted.values.max() ?? 0 else { return false }
    versions[delivery.key] = max(versions[delivery.key] ?? 0, delivery.number)
    if delivery.revokesFirst { isFirstRevoked = true }
    number = delivery.number
    return true
  }
}

/// Keys of the simulation alone.
enum DeploymentKeys {
  static let privateKeys = [
    "first":
      """
    -----BEGIN PRIVATE KEY-----
    MC4CAQAwBQYDK2VwBCIEIL4N5gPPZZymDGruSLSjcuDF5EcLrT6bWEvvOTD0PCX0
    -----END PRIVATE KEY-----
    """,
    "second":
      """
    -----BEGIN PRIVATE KEY-----
    MC4CAQAwBQYDK2VwBCIEIFL4az8cQyElajN2x+ML+HmS3ujez9CQjHSUbEeYSs7Y
    -----END PRIVATE KEY-----
    """,
  ]

  static let publicKeys = [
    "first":
      """
    -----BEGIN PUBLIC KEY-----
    MCowBQYDK2VwAyEAKVw63+0zsA1IBZKq69OPFmzvMdSBdI4FB0ZkGNgPM9w=
    -----END PUBLIC KEY-----
    """,
    "second":
      """
    -----BEGIN PUBLIC KEY-----
    MCowBQYDK2VwAyEAj97m2NIDmniDVGcV240jkhE6R5wvlvGgj4PuDdFyRJM=
    -----END PUBLIC KEY-----
    """,
  ]
}
