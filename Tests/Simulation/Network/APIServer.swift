import HTTPTypes
package import Interception
import RequestSigning
package import SwitchyardTesting

/// The app's API: public and private resources, accounts, tokens, cookies, signatures and idempotency keys.
///
/// `/lists/N` is read page by page, `/items/N` is public, and `/me/N` belongs to the account of the token.
/// What a response says about caching depends on the number. `/old/N` redirects within the origin, `/away/N`
/// to the origin of static files, and `/round/N` there and back.
package final class APIServer: SimulatedServer, @unchecked Sendable {
  // Accessed on the scheduler's thread only.

  static let origin = "api.example"

  /// Something that a request has changed.
  struct Effect {
    let call: Int?
    let key: String?
    let account: String
    let resource: String
    let body: [UInt8]
    let time: Duration
  }

  private unowned let world: World
  let fleet: VerifierFleet
  private var versions: [String: Int] = [:]
  private var replies: [String: Response] = [:]
  private(set) var effects: [Effect] = []
  let lists: ListServer
  private let representations = RepresentationServer()

  init(_ world: World, key: SigningKey) {
    self.world = world
    lists = ListServer(world)
    fleet = VerifierFleet(world, key: key)
  }

  /// Changes a resource, as another client does.
  func change(_ resource: String) {
    guard let path = ResourcePath(resource), path.kind == "lists" else {
      return versions[resource, default: 1] += 1
    }
    for account in Set(World.accounts.map({ ListServer.name(path.index, of: $0) })).sorted() {
      lists.grow(account)
    }
  }

  func version(of resource: String) -> Int { versions[resource, default: 1] }

  package func reply(to arrival: SimulatedArrival) async -> Response {
    // A URL that another origin has chosen is requested without a signature.
    if world.checks.hasLeftOrigin(arrival) { return authenticatedReply(to: arrival) }
    do throws(SignatureError) { try await fleet.verify(arrival.signedRequest) } catch {
      world.checks.signatureRefused(error, arrival)
      return Response(status: error.status, headerFields: [.date: HTTPDate.format(world.clock.trueWallTime)])
    }
    world.checks.signatureAccepted(arrival)
    return authenticatedReply(to: arrival)
  }

  private func authenticatedReply(to arrival: SimulatedArrival) -> Response {
    var fields: HTTPFields = [.date: HTTPDate.format(world.clock.trueWallTime)]
    var account: String?
    if let value = arrival.field(.authorization) ?? arrival.field(World.memberField) {
      guard let owner = world.tokens.owner(of: value) else {
        fields[.wwwAuthenticate] = "Bearer error=\"invalid_token\""
        return Response(status: .unauthorized, headerFields: fields)
      }
      account = owner
    }
    let parts = arrival.path.split(separator: "/")
    guard parts.count == 2, let index = Int(parts[1]) else {
      return Response(status: .notFound, headerFields: fields)
    }
    switch parts[0] {
    case "old", "away", "round":
      let host = parts[0] == "old" ? "" : "https://\(StaticServer.origin)"
      fields[.location] = "\(host)/\(parts[0] == "round" ? "back" : "items")/\(index)"
      return Response(
        status: [301, 302, 303, 307, 308].map { .init(code: $0) }[index % 5], headerFields: fields)
    case "lists": return lists.reply(to: arrival, index, account: account, fields)
    case "items": return resource("/items/\(index)", index, owner: nil, account, arrival, fields)
    case "texts" where arrival.request.head.method == .get:
      return representations.text(
        arrival.path, index, version: version(of: arrival.path), arrival, fields)
    case "files" where arrival.request.head.method == .get:
      return representations.file(index, version: version(of: arrival.path), arrival, fields)
    case "texts", "files":
      return write(arrival.path, account, arrival, Response(status: .ok, headerFields: fields))
    case "me":
      guard let account else {
        fields[.wwwAuthenticate] = "Bearer"
        return Response(status: .unauthorized, headerFields: fields)
      }
      return resource("/me/\(index) of \(account)", index, owner: account, account, arrival, fields)
    default: return Response(status: .notFound, headerFields: fields)
    }
  }

  private func resource(
    _ name: String, _ index: Int, owner: String?, _ account: String?, _ arrival: SimulatedArrival,
    _ fields: HTTPFields
  ) -> Response {
    var reply = Response(status: .ok, headerFields: fields)
    switch arrival.request.head.method {
    case .get, .head:
      let tag = "\"v\(version(of: name))\""
      reply.head.headerFields[.cacheControl] = CachingOfResource.control(index, isPrivate: owner != nil)
      if CachingOfResource.hasTag(index) { reply.head.headerFields[.eTag] = tag }
      if CachingOfResource.varies(index) { reply.head.headerFields[.vary] = "Accept-Language" }
      if arrival.path.hasPrefix("/items"), index % 3 == 0 {
        reply.head.headerFields[.setCookie] = world.cookies.line(arrival)
      }
      if let condition = arrival.field(.ifNoneMatch), condition == tag {
        reply.head.status = .notModified
        return reply
      }
      let variant = RepresentationServer.variant(
        of: arrival.path, version: version(of: name), arrival.field)
      let content = Content(
        resource: name, version: version(of: name), owner: owner ?? "", language: variant)
      reply.body = .bytes(content.bytes)
      return reply
    default: return write(name, account, arrival, reply)
    }
  }

  private func write(_ name: String, _ account: String?, _ arrival: SimulatedArrival, _ former: Response)
    -> Response
  {
    var reply = former
    guard let account else {
      reply.head.headerFields[.wwwAuthenticate] = "Bearer"
      reply.head.status = .unauthorized
      return reply
    }
    if arrival.request.head.method == .delete, arrival.path.hasSuffix("7") {
      reply.head.status = .conflict
      return reply
    }
    let value = arrival.field(World.keyField).map { $0.filter { $0 != "\"" } }
    let key = value.map { "\(account) \($0)" }
    if let key, let known = replies[key] { return known }
    if let condition = arrival.field(.ifMatch), condition != "\"v\(version(of: name))\"" {
      reply.head.status = .preconditionFailed
      return reply
    }
    versions[name, default: 1] += 1
    effects.append(
      Effect(
        call: arrival.call, key: value, account: account, resource: name,
        body: arrival.body, time: arrival.time))
    reply.body = .bytes(
      Content(resource: name, version: version(of: name), owner: account, language: "").bytes)
    if let key { replies[key] = reply }
    return reply
  }
}

/// The origin of static files, which must get no credentials, signatures and cookies of the API.
package final class StaticServer: SimulatedServer, @unchecked Sendable {
  // Accessed on the scheduler's thread only.

  static let origin = "static.example"
  private unowned let world: World

  init(_ world: World) { self.world = world }

  package func reply(to arrival: SimulatedArrival) -> Response {
    let index = Int(arrival.path.split(separator: "/").last ?? "") ?? 0
    var reply = Response(status: .ok, headerFields: [.date: HTTPDate.format(world.clock.trueWallTime)])
    if arrival.path.hasPrefix("/back/") {
      reply.head.status = .temporaryRedirect
      reply.head.headerFields[.location] = "https://\(APIServer.origin)/items/\(index)"
      return reply
    }
    reply.head.headerFields[.cacheControl] = CachingOfResource.control(index, isPrivate: false)
    reply.body = .bytes(
      Content(resource: "static \(arrival.path)", version: 1, owner: "", language: "").bytes)
    return reply
  }
}

/// What the resources' responses say about caching, by number.
enum CachingOfResource {
  static func control(_ index: Int, isPrivate: Bool) -> String? {
    let texts: [String?] = [
      "max-age=60", "max-age=5, stale-while-revalidate=30", "max-age=10, must-revalidate", "no-store",
      "no-cache", "max-age=30, stale-if-error=300", "max-age=60", nil,
    ]
    guard let text = texts[index % texts.count] else { return isPrivate ? "private" : nil }
    return isPrivate ? "private, \(text)" : text
  }

  static func hasTag(_ index: Int) -> Bool { [0, 2, 4, 6].contains(index % 8) }
  static func varies(_ index: Int) -> Bool { index % 8 == 6 }
}

/// The body of a resource's response, by which checks know what it is.
struct Content: Hashable {
  let resource: String
  let version: Int
  /// The account that may read it; empty if everybody may.
  let owner: String
  let language: String

  init(resource: String, version: Int, owner: String, language: String) {
    (self.resource, self.version, self.owner, self.language) = (resource, version, owner, language)
  }

  var bytes: [UInt8] { Array("\(resource)|\(version)|\(owner)|\(language)".utf8) }

  init?(_ bytes: [UInt8]) {
    let parts = String(decoding: bytes, as: UTF8.self).split(separator: "|", omittingEmptySubsequences: false)
    guard parts.count == 4, let version = Int(parts[1]) else { return nil }
    self.init(
      resource: String(parts[0]), version: version, owner: String(parts[2]), language: String(parts[3]))
  }
}
