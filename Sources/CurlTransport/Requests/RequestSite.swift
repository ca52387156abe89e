import HTTPTypes
import Interception
import Synchronization

/// What all requests to one site have in common: where they go, and the lines that their fields begin with.
///
/// It is a class because it goes from request to request: a copy costs one count.
final class RequestSite: Sendable {
  // Each request that waits may hold as many bytes for its answer.
  private static let smallBody = 4 << 10

  // What libcurl's thread reads of each request stands last, away from the count of references, which the callers' threads
  // change: a line of memory that one processor writes must be fetched again by the other.
  private let scheme: String?
  // What the body before had, rounded up.
  private let length = Atomic(0)
  /// The line of the authority.
  let hostLine: HeaderBlock
  /// Host and port as written.
  let authority: String
  /// The lines of a request that has neither fields of its own nor a body.
  let bareLines: HeaderBlock
  let origin: WebOrigin

  /// Checks scheme and authority.
  ///
  /// - Throws: ``NetworkError/Kind/invalidRequest``, which names the part that is wrong.
  init(_ head: HTTPRequest, userAgent: String?) throws(NetworkError) {
    scheme = head.scheme
    authority = head.authority ?? ""
    origin = try RequestTarget.origin(of: head)
    // swift-http-types would replace such a character by a space, and trim the value.
    guard userAgent.map(HTTPField.isValidValue) ?? true else {
      throw RequestTarget.invalid(
        "Configuration.userAgent of CurlDispatcher holds a control character, or white space at an end; remove it."
      )
    }
    var host = HeaderBlock()
    // Always our own: libcurl's would drop a default port that the caller wrote, and perhaps signed. The
    // authority was checked byte by byte.
    host.appendLine("Host: ", head.authority ?? "")
    hostLine = host
    bareLines = try RequestPlan.complete(host, userAgent: userAgent)
  }

  /// Room for the next small body, going by the one before; 0 where that was a large one.
  var expectedLength: Int { length.load(ordering: .relaxed) }

  /// Notes how long a body was.
  func noteLength(_ count: Int) {
    // Powers of two: bodies of about one length find room, and what is the same is not written again, for many threads
    // read it.
    let isSmall = (1...Self.smallBody).contains(count)
    let expected = isSmall ? 1 << (Int.bitWidth - (count - 1).leadingZeroBitCount) : 0
    if expected != expectedLength { length.store(expected, ordering: .relaxed) }
  }

  /// Whether both are one place, written the same.
  func isSame(as other: RequestSite) -> Bool {
    origin.scheme == other.origin.scheme && authority == other.authority
  }

  /// Whether a request goes there, written just so.
  func isSite(of head: HTTPRequest) -> Bool { authority == head.authority && scheme == head.scheme }
}
