public import APIManagers
import AccountRoutes
public import EstateNetwork
public import Mediation
import Navigation
import TerminalScreens

/// Login, logout, favourites and notes.
public struct AccountModule: BusinessModule {
  /// The module's name.
  public let name = "Account"
  private let client: APIClient
  private let session: Session
  private let tags: TagRegistry
  private let prompt: any CredentialPrompt

  /// Creates the module.
  ///
  /// - Parameters:
  ///   - tags: Notifies open screens that the favourites have changed.
  ///   - prompt: Asks the user for name and password.
  public init(client: APIClient, session: Session, tags: TagRegistry, prompt: any CredentialPrompt) {
    self.client = client
    self.session = session
    self.tags = tags
    self.prompt = prompt
  }

  /// Declares login, logout, the end of a session, favourites, visits and notes.
  public func declare(into table: inout RouteTable) {
    let members = Members(client: client, session: session)
    table.screen(LoginRoute.self, style: .present) { [prompt] _, _, handle in
      LoginScreen(prompt: prompt, members: members, handle: handle).started()
    }
    table.action(WelcomeRoute.self) { [session] route, context in
      if session.name == nil, try await !context.call(LoginRoute()) { return false }
      // With the permissions of the link, so that it opens nothing that the link itself may not open.
      if let next = route.next { try await context.forward(next) }
      return true
    }
    table.action(LogoutRoute.self) { [session] _, context in
      let hadSession = session.end()
      // Other modules drop what belongs to the user.
      if hadSession { await context.mediator.deliver(.logout, limit: .seconds(5)) }
      return hadSession
    }
    table.action(ExpireSessionRoute.self) { [session] _, _ in session.invalidateToken(isForgotten: false) }
    table.action(ForgetSessionRoute.self) { [session] _, _ in session.invalidateToken(isForgotten: true) }
    table.screen(FavouritesRoute.self, style: .tab("members")) { [tags] _, _ in
      // Before the list is loaded, so that no change of it is missed.
      let changes = tags.invalidations(of: [.favourites])
      return FavouritesScreen(try await members.favourites(), changes: changes)
    }
    table.action(AddFavouriteRoute.self) { [tags] route, _ in
      try await tags.mutation(of: [.favourites]) { try await members.mark(route.home) }
    }
    table.action(VisitRoute.self) { _, _ in try await members.visit() }
    table.action(NoteRoute.self) { route, _ in try await members.leave(note: route.text, about: route.home) }
  }
}
