package import Foundation
import HTTPServing
import HTTPTypes
import Logging

/// The house-hunting API: listings, accounts, reported actions and faults behind a signature check.
package struct EstateAPI: Sendable {
  package static let standardSessionLifetime: TimeInterval = 3600

  let addresses = ListeningAddresses()
  private let signatures: SignatureCheck
  private let router: HTTPRouter<Answer>

  /// Creates an API over some listings.
  ///
  /// - Parameters:
  ///   - verifier: Verifies the signatures of requests. Without one every path that needs a signature is
  ///     refused.
  ///   - messageSignatures: Verifies requests that are signed with HTTP Message Signatures; without it they
  ///     are refused too.
  ///   - addressKey: Signs the list of the server's addresses; without it there is no list.
  ///   - guide: The pages for the app's web view, and their package; without it there are none.
  ///   - deployments: Publishes what changes in the app without a release; without it nothing does.
  ///   - slowDelay: The time that `/v1/demo/slow` takes to answer.
  ///   - record: Receives a line for each favourite before it is added; if it throws, it is not added.
  package init(
    listings: Listings, verifier: (any RequestVerifying)? = nil,
    messageSignatures: MessageSignatureService? = nil, addressKey: DemoKey? = nil, guide: GuideSite? = nil,
    deployments: DeploymentRoutes? = nil, sessionLifetime: TimeInterval = standardSessionLifetime,
    slowDelay: Duration = .seconds(30),
    record: @escaping @Sendable (String) throws -> Void = { _ in },
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    signatures = SignatureCheck(
      verifier: verifier ?? RefusingVerifier(), messageSignatures: messageSignatures,
      unsignedPaths: [HelpPage.path, TokenRoute.path, AddressListRoute.path])
    let sessions = SessionRegistry(lifetime: sessionLifetime)
    var router = HTTPRouter<Answer>()
    HelpPage.add(to: &router)
    guide?.add(to: &router)
    deployments?.add(to: &router)
    let notes = NoteBook()
    ListingRoutes(listings: listings, notes: notes).add(to: &router)
    PhotoRoute(listings: listings).add(to: &router)
    AccountRoutes(listings: listings, sessions: sessions, notes: notes, record: record, now: now)
      .add(to: &router)
    TokenRoute(sessions: sessions, now: now).add(to: &router)
    VisitRoute().add(to: &router)
    ScreenRoutes().add(to: &router)
    ActivityRoutes().add(to: &router)
    if let addressKey { AddressListRoute(key: addressKey, addresses: addresses, now: now).add(to: &router) }
    DemoFaultRoutes(delay: slowDelay, addresses: addresses, now: now).add(to: &router)
    self.router = router
  }

  /// Responds to a request.
  ///
  /// The log gets one line for each request, without its fields, query and body.
  func response(to request: ReceivedRequest, logger: Logger) async -> ServerResponse {
    let clock = ContinuousClock()
    let start = clock.now
    let response: ServerResponse
    do {
      response = try await answer(to: request).response(to: request)
    } catch {
      let known = APIError(thrown: error)
      if known == .internalFault { logger.error("request failed", metadata: ["error": "\(error)"]) }
      response = Self.response(with: known, to: request)
    }
    logger.info(
      "\(request.head.method.rawValue) \(request.path.prefix(120)) \(response.status.code)",
      metadata: ["took": "\(start.duration(to: clock.now))"])
    return signatures.finished(response, to: request)
  }

  private func answer(to request: ReceivedRequest) async throws -> Answer {
    let plain = try BodyDecoding.plain(request)
    try await signatures.admit(request, decodedTo: plain)
    guard let answer = try await router.output(for: plain) else { throw APIError.notFound(request) }
    return answer
  }

  private static func response(with error: APIError, to request: ReceivedRequest) -> ServerResponse {
    (try? error.answer().response(to: request)) ?? ServerResponse(.internalServerError)
  }
}
