public import Foundation
import HTTPTypes
import Hummingbird

/// The house-hunting API: listings, accounts and faults behind a signature check.
public struct EstateAPI: Sendable {
  /// How many seconds a session lasts unless told otherwise.
  public static let standardSessionLifetime: TimeInterval = 3600

  private let listings: Listings
  private let verifier: any RequestVerifying
  private let sessions: SessionRegistry
  private let slowDelay: Duration
  private let now: @Sendable () -> Date

  /// An API over some listings.
  ///
  /// Without a verifier every signed path is refused. `slowDelay` is how long `/v1/demo/slow` waits.
  public init(
    listings: Listings, verifier: (any RequestVerifying)? = nil,
    sessionLifetime: TimeInterval = standardSessionLifetime, slowDelay: Duration = .seconds(30),
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.listings = listings
    self.verifier = verifier ?? RefusingVerifier()
    self.sessions = SessionRegistry(lifetime: sessionLifetime)
    self.slowDelay = slowDelay
    self.now = now
  }

  /// The routes with their middleware, outermost first.
  func router() -> Router<BasicRequestContext> {
    let router = Router(options: .autoGenerateHeadEndpoints)
    router.add(middleware: AccessLogMiddleware())
    router.add(middleware: ErrorAnsweringMiddleware())
    router.add(middleware: BodyDecodingMiddleware())
    router.add(
      middleware: SignatureMiddleware(verifier: verifier, unsignedPaths: [HelpPage.path]))
    HelpPage.add(to: router)
    ListingRoutes(listings: listings).add(to: router)
    AccountRoutes(listings: listings, sessions: sessions, now: now).add(to: router)
    DemoFaultsRoutes(delay: slowDelay).add(to: router)
    return router
  }
}
