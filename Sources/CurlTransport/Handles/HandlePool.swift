import CCurlShims
import CLibcurl
import HTTPTypes
import Interception

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Easy handles that wait for their next transfer; one that was used knows most of what it will be told.
struct HandlePool {
  /// A handle with what belongs to it from one transfer to the next; libcurl's callbacks find the transfer here.
  @safe
  final class Member {
    let handle: EasyHandle
    /// What the handle's poller finds it by; libcurl keeps the pointer.
    let state: UnsafeMutablePointer<switchyard_handle_state>
    /// Where the lines of an answer's head are gathered; libcurl keeps the pointer.
    let lines: UnsafeMutablePointer<switchyard_head_gatherer>
    /// What it shares with other handles; it survives a reset.
    private(set) var stock: ConnectionStock?
    /// The transfer that uses it.
    var transfer: Transfer?
    // The lines of the request that the handle was given last, and the list that libcurl reads them from.
    private var block: HeaderBlock?
    private var lineList: HeaderList?
    private var site: Site?
    private var requestTarget: String?
    private var connectMilliseconds = 0
    /// When its last request left a connection at rest.
    var restedAt = Duration.zero
    /// What the handle was told last, where that may come again.
    var described: Described?
    private var address: (ip: [CChar], port: Int, text: String)?

    init?() {
      guard let handle = EasyHandle() else { return nil }
      self.handle = handle
      unsafe state = .allocate(capacity: 1)
      unsafe lines = .allocate(capacity: 1)
      let owner = unsafe Unmanaged.passUnretained(self).toOpaque()
      unsafe state.initialize(to: Transfer.state(owner))
      unsafe lines.initialize(to: Transfer.gatherer(owner))
    }

    deinit {
      // libcurl frees no stock that a handle still uses.
      if stock != nil { try? handle.share(nil) }
      // The handle goes after this, and asks for its state no more: it is in no multi handle.
      unsafe state.deallocate()
      unsafe switchyard_head_free(lines)
      unsafe lines.deallocate()
    }

    /// Forgets what the transfer before waited on and what it received.
    func begin() {
      unsafe state.pointee.socket = -1
      unsafe switchyard_head_begin(lines)
    }

    func attach(_ stock: ConnectionStock) throws(CurlError) {
      guard self.stock !== stock else { return }
      try handle.share(stock)
      self.stock = stock
    }

    /// Says what the handle is told before each description that it starts from nothing.
    ///
    /// - Parameter rounds: Counts the rounds of the thread, as long as the handle lives.
    func setBasics(rounds: UnsafePointer<UInt64>, _ more: @escaping (Member) -> Void) {
      unsafe lines.pointee.rounds = unsafe rounds
      // The handle belongs to the member and does not outlive it.
      handle.setBasics = { [unowned self] _ in
        setCallbacks()
        more(self)
      }
      handle.reset()
    }

    /// Gives the handle the request's lines; the same as before cost a comparison.
    func setHeaders(_ block: HeaderBlock) throws(CurlError) {
      if self.block?.bytes != block.bytes {
        let list = HeaderList(block)
        try handle.set(CURLOPT_HTTPHEADER, list)
        self.block = block
        lineList = consume list
      } else {
        try handle.set(CURLOPT_HTTPHEADER, address: lineList?.address ?? 0)
      }
    }

    /// Gives the handle other lines, where all else is as before; the same as before cost a comparison.
    func amendHeaders(_ block: HeaderBlock) throws(CurlError) {
      if let known = self.block, known.bytes == block.bytes { return }
      let list = HeaderList(block)
      try handle.amend(CURLOPT_HTTPHEADER, address: list.address)
      self.block = block
      lineList = consume list
    }

    /// Gives the handle the request's target, where all else is as before; the same as before costs a comparison.
    func amendTarget(_ text: String) throws(CurlError) {
      if text == requestTarget { return }
      try handle.amend(CURLOPT_REQUEST_TARGET, text)
      requestTarget = text
    }

    /// Gives the handle the request's target.
    func setTarget(_ text: String) throws(CurlError) {
      try handle.set(CURLOPT_REQUEST_TARGET, text)
      requestTarget = text
    }

    /// Gives the handle the time that connecting may take, in milliseconds.
    func setConnectLimit(_ milliseconds: Int) throws(CurlError) {
      try handle.set(CURLOPT_CONNECTTIMEOUT_MS, milliseconds)
      connectMilliseconds = milliseconds
    }

    /// Gives the handle the time that connecting may take, where all else is as before.
    func amendConnectLimit(_ milliseconds: Int) throws(CurlError) {
      if milliseconds == connectMilliseconds { return }
      try handle.amend(CURLOPT_CONNECTTIMEOUT_MS, milliseconds)
      connectMilliseconds = milliseconds
    }

    /// Gives the handle the URL of a target's site; the same as before costs a comparison.
    func setSite(of target: RequestTarget) throws(CurlError) {
      if site?.scheme != target.origin.scheme || site?.authority != target.authority {
        let url = target.url
        site = Site(
          scheme: target.origin.scheme, authority: target.authority, url: url, parsed: ParsedURL(url))
      }
      guard let site else { return }
      try handle.set(CURLOPT_URL, site.url)
      // What libcurl can't read it refuses with an error of its own, once the transfer begins.
      if let parsed = site.parsed { try handle.set(CURLOPT_CURLU, address: parsed.address) }
    }

    /// Returns the text of an address; the same as before costs a comparison.
    func addressText(ip: UnsafePointer<CChar>, port: Int) -> String? {
      guard unsafe ip[0] != 0 else { return nil }
      if let address, address.port == port, unsafe strcmp(ip, address.ip) == 0 { return address.text }
      let host = unsafe String(cString: ip)
      let text = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
      address = unsafe (Array(UnsafeBufferPointer(start: ip, count: strlen(ip) + 1)), port, text)
      return text
    }
  }

  /// What the description of a request without content depends on, beside its path and its fields.
  final class Described {
    private let site: RequestSite
    private let method: HTTPRequest.Method
    private let acceptedCodings: String?
    private let connectMilliseconds: Int
    private let priority: RequestPriority
    let route: Route

    /// Notes how a request was described; nil where the next one may well be described otherwise.
    init?(_ plan: RequestPlan, route: Route) {
      guard !plan.hasContent, plan.connectTo == nil else { return nil }
      site = plan.site
      method = plan.method
      acceptedCodings = plan.acceptedCodings
      connectMilliseconds = plan.connectMilliseconds
      priority = plan.options.priority
      self.route = route
    }

    /// Whether the description of a request is the same, but for its path and its fields.
    func fits(_ plan: RequestPlan) -> Bool {
      !plan.hasContent && plan.connectTo == nil && priority == plan.options.priority && method == plan.method
        && connectMilliseconds == plan.connectMilliseconds && acceptedCodings == plan.acceptedCodings
        && (site === plan.site || site.isSame(as: plan.site))
    }
  }

  private struct Site {
    let scheme: WebOrigin.Scheme
    let authority: String
    let url: String
    let parsed: ParsedURL?
  }

  private let capacity: Int
  private var idle: [Member] = []

  init(capacity: Int) { self.capacity = capacity }

  /// Returns a handle, prepared by `prepare` if it is a new one; nil when there is no memory.
  mutating func take(_ prepare: (Member) throws(CurlError) -> Void) throws(CurlError) -> Member? {
    if let member = idle.popLast() { return member }
    return try Self.make(prepare)
  }

  /// Makes a handle, and lets `prepare` tell it what holds for each of its transfers; nil when there is no memory.
  static func make(_ prepare: (Member) throws(CurlError) -> Void) throws(CurlError) -> Member? {
    guard let member = Member() else { return nil }
    try prepare(member)
    member.handle.settle()
    return member
  }

  mutating func put(_ member: Member) {
    member.transfer = nil
    member.begin()
    if idle.count < capacity, !member.handle.isSpoiled { idle.append(member) }
  }
}
