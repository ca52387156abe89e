import HTTPTypes
import Interception
import NonceStores
import RequestSigning
import SwitchyardTesting

/// The servers that verify signatures: several that share their nonces, or a single one with its own.
final class VerifierFleet: @unchecked Sendable {
  // Accessed on the scheduler's thread only.

  private enum Verifier {
    case single(SignatureVerifier)
    case sharing(SharedSignatureVerifier)

    func verify(_ request: SignedRequest) async throws(SignatureError) {
      switch self {
      case .single(let verifier): try verifier.verify(request)
      case .sharing(let verifier): try await verifier.verify(request)
      }
    }

    func verify(
      _ request: SignedRequest, opening opener: SealedKeyOpener, fingerprint: (String) -> String?
    ) async throws(SealedKeyError) {
      switch self {
      case .single(let verifier): try verifier.verify(request, opening: opener, fingerprint: fingerprint)
      case .sharing(let verifier):
        try await verifier.verify(request, opening: opener, fingerprint: fingerprint)
      }
    }
  }

  private unowned let world: World
  private let key: SigningKey
  private let nonces: SharedNonceStore
  private var verifiers: [Verifier] = []
  private var random: SeededRandom
  /// Whether nonces were lost, so that requests may be refused because they can't be checked.
  private(set) var hasLostNonces = false

  init(_ world: World, key: SigningKey) {
    self.world = world
    self.key = key
    random = SeededRandom(seed: world.plan.seed ^ 0xF1EE7)
    nonces = SharedNonceStore(world)
    verifiers = (0..<world.plan.settings.verifierCount).map { makeVerifier($0, isFirst: true) }
  }

  private func makeVerifier(_ number: Int, isFirst: Bool) -> Verifier {
    let settings = world.plan.settings
    // If nonces can be lost, the clocks must agree.
    let skew = Duration.seconds(settings.losesNonces ? 0 : [0, 60, -60][number % 3])
    let clock = world.clock
    let time = TimeSource(clock, wall: { clock.trueWallTime.advanced(by: skew) })
    guard settings.sharesNonces else {
      return .single(
        SignatureVerifier(
          keys: SigningKeys(key), window: settings.verifierWindow,
          start: isFirst ? WallTime(secondsSince1970: 0) : nil, time: time))
    }
    let checks = world.checks as Checks
    return .sharing(
      SharedSignatureVerifier(
        SignatureVerifier(keys: SigningKeys(key), window: settings.verifierWindow, time: time),
        nonces: nonces, ifUnavailable: .failClosed,
        ifForgotten: .failClosed, report: { error, _ in checks.count("nonces: \(error.kind)") }))
  }

  /// Verifies a request at the server to which it is led.
  func verify(_ request: SignedRequest) async throws(SignatureError) {
    try await verify(request, at: verifiers[Int.random(in: verifiers.indices, using: &random)])
  }

  private func verify(_ request: SignedRequest, at verifier: Verifier) async throws(SignatureError) {
    guard let platform = world.platform, let print = try? key.fingerprint() else {
      return try await verifier.verify(request)
    }
    let id = key.id
    do throws(SealedKeyError) {
      try await verifier.verify(
        request, opening: SealedKeyOpener([platform]), fingerprint: { $0 == id ? print : nil })
      world.checks.count("signature: sealed key")
    } catch {
      guard case .signature(let reason) = error.reason else {
        world.checks.fail(.signatures, "the sealed key of a request was refused: \(error)")
        throw .unknownKey
      }
      throw reason
    }
  }

  /// Starts a server again.
  func restart(_ number: Int) {
    let number = number % verifiers.count
    world.story.tell("server \(number) is started again")
    if !world.plan.settings.sharesNonces { hasLostNonces = true }
    verifiers[number] = makeVerifier(number, isFirst: false)
  }

  /// Loses the shared nonces, if the history allows it.
  func loseNonces() {
    guard world.plan.settings.losesNonces, world.plan.settings.sharesNonces else { return }
    world.story.tell("the nonces are lost")
    hasLostNonces = true
    nonces.lose()
  }

  /// Sends a recorded request to every server, and returns how many accept it.
  func acceptances(ofReplayed request: SignedRequest) async -> Int {
    var count = 0
    for verifier in verifiers {
      do throws(SignatureError) {
        try await verify(request, at: verifier)
        count += 1
      } catch { world.checks.count("replay: \(error.status.code)") }
    }
    return count
  }
}

/// A store on a server, which takes time, and whose response can be lost.
private final class SharedNonceStore: NonceStore, @unchecked Sendable {
  private unowned let world: World
  private var content = MemoryNonceStore(start: WallTime(secondsSince1970: 0))
  private var random: SeededRandom

  init(_ world: World) {
    self.world = world
    random = SeededRandom(seed: world.plan.seed ^ 0x57012E)
  }

  func lose() { content = MemoryNonceStore(start: world.clock.trueWallTime) }

  func claim(_ claim: NonceClaim) async -> NonceVerdict {
    // Shorter than the way of any response.
    await world.clock.pause(for: .microseconds(Int.random(in: 100...2_000, using: &random)))
    let verdict = await content.claim(claim)
    await world.clock.pause(for: .microseconds(Int.random(in: 100...2_000, using: &random)))
    guard Int.random(in: 0..<100, using: &random) == 0, !world.connectivity.isHealed else { return verdict }
    return .unavailable(NonceStoreError(.timedOut, "The store did not respond in time."))
  }
}
