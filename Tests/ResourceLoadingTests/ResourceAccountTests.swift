import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import ResourceLoading

@Suite(.timeLimit(.minutes(5))) struct ResourceAccountTests {
  /// A loader whose pictures are named by the account for which they were transferred.
  private static func loader(
    _ login: IdentifyingInterceptor
  ) throws -> (ResourceLoader<PictureDecoder>, ScriptedDispatcher) {
    let server = ScriptedDispatcher { request, number throws(NetworkError) in
      let partition = request.context.partition
      let name = partition.isEmpty ? "none" : partition.hasPrefix("\u{0}") ? "unnamed\(number)" : partition
      return Response(status: .ok, bytes: Picture(name: name, width: 4, height: 4).bytes)
    }
    let pipeline = try Pipeline(over: server) { login }
    return (ResourceLoader(over: pipeline, decoder: PictureDecoder()), server)
  }

  @Test("No account gets the picture of another one, as a value or as a placeholder")
  func accounts() async throws {
    let login = IdentifyingInterceptor(nil)
    let (loader, server) = try Self.loader(login)
    let request = PictureServer.request("portrait")
    let (ada, bob) = (Request.Identity.account("ada"), Request.Identity.account("bob"))
    for (identity, name) in [(nil, "none"), (ada, "ada"), (bob, "bob"), (ada, "ada"), (nil, "none")] {
      login.use(identity)
      if let placeholder = loader.placeholder(for: request) { #expect(placeholder.name == name) }
      #expect(try await loader.load(request).name == name)
    }
    #expect(server.requests.count == 3, "Each is kept for its own account")
  }

  @Test("A partition in the request separates accounts, too")
  func partitions() async throws {
    let (loader, server) = try Self.loader(IdentifyingInterceptor(nil))
    for name in ["ada", "bob", "ada"] {
      var request = PictureServer.request("portrait")
      request.context.partition = name
      #expect(try await loader.load(request).name == name)
    }
    #expect(server.requests.count == 2)
  }

  @Test("Two logins without a name share nothing, nor do requests of an account that is not known")
  func unnamedLogins() async throws {
    let login = IdentifyingInterceptor(.unnamed())
    let (loader, server) = try Self.loader(login)
    let request = PictureServer.request("portrait")
    #expect(try await loader.load(request).name == "unnamed1")
    login.use(.unnamed())
    #expect(loader.placeholder(for: request) == nil)
    #expect(try await loader.load(request).name == "unnamed2")
    login.use(.unknown)
    _ = try await loader.load(request)
    _ = try await loader.load(request)
    #expect(server.requests.count == 4)
  }
}
