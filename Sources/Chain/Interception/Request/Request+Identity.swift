import HTTPTypes
import Synchronization

extension Request {
  /// On whose behalf a request is sent: an account, or a login whose account has no name.
  ///
  /// It is known before sharing and caching, and before any token is obtained. Requests of different
  /// identities never share a transfer or a stored response; see ``RequestContext/partition``.
  ///
  /// Each value that is created is a login of its own, even for the same account: create one at login, keep
  /// it, and create another one when the credentials are replaced by those of another login. A request is
  /// then never answered by a transfer that began with the credentials before.
  public struct Identity: Sendable, Hashable {
    fileprivate struct Login: Sendable, Hashable {
      /// Unique in the process.
      let number: UInt64
      /// The account's name, if it has one.
      var account: String?
      /// The number of the interceptor that provided it; 0 for none.
      var provider: UInt64 = 0
      /// Whether the request has not reached the interceptor that adds these credentials, but a redirect may
      /// lead it there.
      var isPending = false
      /// Whether it stands for an account that is not known.
      var isUnique = false

      /// Whether both are the same login, or logins to the same account.
      func isSame(as other: Login?) -> Bool {
        guard let other else { return false }
        return number == other.number
          || account != nil && account == other.account && provider == other.provider
      }
    }

    /// The partition of requests that have none; empty for one that separates only transfers.
    let partition: String
    /// Whether the partition is derived from the credentials; an account's partition takes precedence.
    fileprivate var isHolder = false
    /// Whether the partition means the same account in another process.
    package let isLasting: Bool
    /// The numbers of the interceptors that don't know whose credentials they add.
    fileprivate var unknowing: [UInt64] = []
    /// Whether the credentials are the same for every user.
    fileprivate var isApp = false
    /// The numbers of the interceptors whose credentials were the same for every user.
    fileprivate var apps: [UInt64] = []
    /// Whether it is only a state of the request's own credentials, and not an account.
    fileprivate var isState = false
    /// The first login; nil for an unknown one.
    fileprivate var login: Login?
    /// The other ones, if several interceptors add credentials.
    fileprivate var others: [Login] = []

    private static let lastNumber = Atomic<UInt64>(0)
    /// The beginning of the partition of a login without a name.
    private static let unnamedPrefix = "\u{0}login "
    private static let holderPrefix = "\u{0}holder "

    /// Whether a partition is made from the credentials of a holder, whose requests may have others besides.
    package static func isHolder(_ partition: String) -> Bool { partition.hasPrefix(holderPrefix) }

    /// Whether a partition is that of a login without a name, alone or together with others.
    package static func hasUnnamedLogin(_ partition: String) -> Bool { partition.contains(unnamedPrefix) }

    /// Whether it is an account or a holder of credentials, and no state of them.
    var isAccount: Bool { !partition.isEmpty }

    /// Whether it is a holder of credentials, known only by them.
    var isOfHolder: Bool { isHolder }

    /// Whether several interceptors have told on whose behalf the request is sent.
    package var hasSeveralLogins: Bool { !others.isEmpty }

    /// The logins as a text that is unique in this process, and means nothing in another one; nil without
    /// any.
    package var processText: String? {
      let known = logins.filter { !$0.isUnique }
      guard !known.isEmpty else { return nil }
      return known.map { "\($0.number) \($0.provider)" }.joined(separator: ",") + " \(Self.process)"
    }

    private static let process = UInt64.random(in: .min ... .max)

    /// Returns a number for a login or for an interceptor that provides logins.
    package static func newNumber() -> UInt64 { lastNumber.wrappingAdd(1, ordering: .relaxed).newValue }

    /// A login to an account with a name, such as its identifier, which is the partition of its requests.
    ///
    /// With an empty name it is a login without a name: its responses and cookies are stored in memory only.
    public static func account(_ name: String) -> Identity {
      guard !name.isEmpty else { return unnamed() }
      return Identity(
        partition: name, isLasting: true, login: Login(number: newNumber(), account: name))
    }

    /// A login to an account without a name; its responses and cookies are stored in memory only.
    package static func unnamed() -> Identity {
      // Random, so that nothing that was stored by another process has the same partition.
      let words = (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 16) }
      return Identity(
        partition: "\(unnamedPrefix)\(words[0])-\(words[1])", isLasting: false,
        login: Login(number: newNumber()))
    }

    /// An account that the interceptor doesn't know: its requests never share a transfer, and of their
    /// responses only public ones are stored, unless the caller has set their partition.
    public static let unknown = Identity(partition: "", isLasting: false, unknowing: [0])

    /// The app itself, whose credentials are the same for every user, such as the key of an API.
    ///
    /// Requests share transfers and stored responses as if no credentials were added to them. Use it only if
    /// the server's responses don't depend on them.
    public static let app = Identity(partition: "", isLasting: true, isApp: true, isState: true)

    /// The holder of credentials whose account has no name.
    ///
    /// Responses are stored in memory only, because an app could not name their partition to remove them. If
    /// the request has an account besides, that determines the partition.
    ///
    /// - Parameter digest: A digest of what identifies the credentials, such as the ID of a key; the holder
    ///   of credentials without one is unknown.
    package static func holder(ofDigest digest: String?) -> Identity {
      guard let digest else { return unknown }
      return Identity(
        partition: holderPrefix + digest, isHolder: true, isLasting: false,
        login: Login(number: newNumber(), account: digest))
    }

    /// A state of credentials that a cache sees, such as cookies; equal for equal values.
    ///
    /// It separates transfers but not stored responses.
    package static func state(of value: some Hashable) -> Identity {
      var hasher = Hasher()
      hasher.combine(value)
      // Only a hash is kept, because the value is a secret. Numbers of logins are never as high.
      let number = UInt64(bitPattern: Int64(hasher.finalize())) | 1 << 63
      return Identity(partition: "", isLasting: true, isState: true, login: Login(number: number))
    }

    /// The identity of a request to which an interceptor adds no credentials, unless it is redirected: it
    /// separates transfers but not stored responses.
    package var pending: Identity? {
      if isApp { return nil }
      // Transfers of an unknown account have nothing in common.
      var pending = Login(number: Self.newNumber())
      if isKnown, let login { pending = login } else { pending.isUnique = true }
      pending.isPending = true
      return Identity(partition: "", isLasting: true, isState: true, login: pending)
    }

    fileprivate var hasPendingLogin: Bool { containsLogin(where: \.isPending) }

    /// Returns the same login with the account's name, for one that was unnamed until now.
    package func named(_ name: String?) -> Identity {
      guard let name, !name.isEmpty else { return self }
      var copy = Identity(partition: name, isLasting: true, login: login)
      copy.login?.account = name
      return copy
    }

    /// Returns the login as one that an interceptor has provided, by its number.
    package func provided(by provider: UInt64) -> Identity {
      var copy = self
      copy.login?.provider = provider
      if !isKnown { copy.unknowing = [provider] }
      if isApp { copy.apps = [provider] }
      return copy
    }

    /// Whether both are the same login, though the account may have got its name since, or logins to the same
    /// account.
    package func isSameAccount(as other: Identity?) -> Bool {
      login.map { $0.isSame(as: other?.login) } ?? (other?.login == nil)
    }

    /// Whether an interceptor has provided a login to another account than this one.
    fileprivate func hasLogin(of provider: UInt64, otherThan other: Identity?) -> Bool {
      func isOther(_ login: Login) -> Bool { login.provider == provider && !login.isSame(as: other?.login) }
      return containsLogin(where: isOther)
    }

    /// Whether the account is known, by its name or by its login.
    fileprivate var isKnown: Bool { unknowing.isEmpty }

    private var logins: [Login] { (login.map { [$0] } ?? []) + others }

    // Asked several times for each request, so that no array of the logins is made.
    private func containsLogin(where isWanted: (Login) -> Bool) -> Bool {
      login.map(isWanted) == true || others.contains(where: isWanted)
    }

    /// Whether the other identity is a part of this one.
    fileprivate func includes(_ other: Identity) -> Bool {
      guard other.unknowing.allSatisfy(unknowing.contains), other.apps.allSatisfy(apps.contains) else {
        return false
      }
      return !other.containsLogin { other in
        !containsLogin { $0.isSame(as: other) && (!$0.isPending || other.isPending) }
      }
    }

    fileprivate func joined(with other: Identity) -> Identity {
      let owners = [self, other].filter { !$0.partition.isEmpty }
      let accounts = owners.filter { !$0.isHolder }
      let partitions = (accounts.isEmpty ? owners : accounts).map(\.partition)
      let all = logins + other.logins
      // Only memory finds the responses of two accounts together by one of them.
      return Identity(
        partition: partitions.joined(separator: RequestContext.partitionSeparator),
        isHolder: accounts.isEmpty && !owners.isEmpty,
        isLasting: partitions.count < 2
          && [self, other].allSatisfy { $0.isLasting || $0.isHolder && !accounts.isEmpty },
        unknowing: unknowing + other.unknowing.filter { !unknowing.contains($0) },
        apps: apps + other.apps.filter { !apps.contains($0) },
        isState: isState && other.isState, login: all.first, others: Array(all.dropFirst()))
    }
  }

  /// An interceptor that knows on whose behalf a request is sent.
  ///
  /// A ``Pipeline`` asks each such interceptor when a request enters the chain, and sets the request's
  /// ``RequestContext/partition`` unless the caller has set it. Conform to it with an interceptor that adds
  /// credentials of its own; those that are the same for every user are ``Identity/app``. Those at stage
  /// ``Stage/cookies`` are asked last, because cookies are kept for each partition.
  public protocol IdentityProvider: Interceptor {
    /// Returns on whose behalf a request is sent, without obtaining credentials; nil if the interceptor adds
    /// none to it.
    func identity(for request: Request) -> Identity?
  }

  /// An interceptor that may not be able to tell on whose behalf requests are sent.
  package protocol NoticingIdentityProvider: IdentityProvider {
    /// What prevents it, and the remedy; nil if it can tell.
    var notice: String? { get }

    /// The login of a typical request, if there is one that is known by now.
    var presentLogin: Identity? { get }

    /// How to name the account of a login: the rest of a sentence that begins with the remedy.
    var namingRemedy: String { get }
  }

  /// Returns the notice of a signer whose source of keys doesn't know the account.
  package static func notice(ofKeysFrom source: Any.Type) -> String {
    "\(source) doesn't say whose keys it provides, so requests are sent one by one, and only their public responses "
      + "are stored; return the account from its identity(for:), or .app if the keys are the same for every user."
  }

  /// What names the holder of a signer's key.
  package static let remedyForUnnamedHolder =
    "give it identity: .account(_:), or .app if the key is the same for every user"

  /// Whether the request gets credentials of an account that is not known.
  package var hasUnknownIdentity: Bool { identity?.isKnown == false }

  /// Whether an interceptor doesn't know whose credentials it adds to the request.
  package func hasUnknownIdentity(of provider: UInt64) -> Bool {
    identity?.unknowing.contains(provider) == true
  }

  /// Marks the request as one to which an interceptor has added its credentials, or none: a cache tells their
  /// holder by them.
  package mutating func resolveIdentity(of provider: UInt64) {
    identity?.unknowing.removeAll { $0 == provider }
  }

  /// Whether the request may still reach an interceptor that adds credentials of an account.
  package var hasPendingLogin: Bool { identity?.hasPendingLogin == true }

  /// Whether the request gets credentials of an account, known or not, when it leaves.
  package var hasDeferredCredentials: Bool { identity?.isState == false }

  /// Whether the request has a login of an interceptor to another account than the present one's.
  package func hasLogin(of provider: UInt64, otherThan present: Identity?) -> Bool {
    identity?.hasLogin(of: provider, otherThan: present) ?? false
  }

  /// Obtains credentials, and throws if they would be those of another account than that for which the
  /// request has entered the chain.
  ///
  /// - Parameters:
  ///   - provider: The number of the interceptor that adds them.
  ///   - present: Returns whose credentials the interceptor adds now.
  package func withUnchangedLogin<Value>(
    of provider: UInt64, present: () -> Identity?, _ obtain: () async throws -> Value
  ) async throws -> Value {
    try checkLogin(of: provider, present: present())
    let value = try await obtain()
    // The account may have been replaced meanwhile.
    try checkLogin(of: provider, present: present())
    return value
  }

  private func checkLogin(of provider: UInt64, present: Identity?) throws(NetworkError) {
    let present = present?.provided(by: provider)
    let isNew = identity?.apps.contains(provider) == true && present?.isApp != true
    guard isNew || hasLogin(of: provider, otherThan: present) else { return }
    var error = NetworkError(
      .rejected,
      "The account for which the request was made has been replaced before the request left, and it is not sent on "
        + "behalf of another one; send it again.")
    // A retry would be refused as well, and the server is not to blame.
    error.preventedDeparture = true
    throw error
  }

  /// Returns the request with the identity of another one.
  package func identified(like other: Request) -> Request {
    var copy = self
    copy.identity = other.identity
    return copy
  }

  /// Returns the request with an identity in addition to those it has.
  ///
  /// The partition that the caller has set remains; otherwise it becomes that of the identities.
  package func identified(as other: Identity) -> Request {
    // Those of an interceptor whose credentials never change leave no trace.
    if other.isApp, other.apps.isEmpty { return self }
    if let identity, identity.includes(other) { return self }
    var copy = self
    let isOwn = context.partition.isEmpty || context.partition == identity?.partition
    let joined = identity?.joined(with: other) ?? other
    if isOwn {
      if !joined.partition.isEmpty { copy.context.partition = joined.partition }
      copy.identity = joined
    } else {
      copy.identity = joined.withoutPartition
    }
    return copy
  }
}

extension Request.Identity {
  /// The same logins, for a request whose partition the caller has chosen.
  fileprivate var withoutPartition: Self {
    Self(partition: "", isLasting: true, apps: apps, isState: isState, login: login, others: others)
  }
}
