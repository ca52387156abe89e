package import APIManagers
import AccountRoutes
package import EstateContract
package import Mediation
import Navigation

/// Login, logout, favourites and notes.
package struct AccountModule: BusinessModule {
  package let name = "Account"
  private let client: APIClient
  private let session: any MemberSession
  private let tags: TagRegistry
  private let responses: any MemberResponses
  private let prompt: any CredentialPrompt
  private let changes: (any KeptChanges)?
  private let marks: FavouriteMarks
  private let data: KeptData?
  private let didLogIn: @Sendable () -> Void

  /// Creates the module.
  ///
  /// - Parameters:
  ///   - tags: Notifies open screens that the favourites have changed, and removes stored homes that have.
  ///   - responses: The stored responses, of which a member's are removed at the logout.
  ///   - changes: Keeps favourites that are added without a network; with `nil` adding them fails then.
  ///   - data: Keeps what the user has written, until the logout.
  package init(
    client: APIClient, session: any MemberSession, tags: TagRegistry, responses: any MemberResponses,
    prompt: any CredentialPrompt, changes: (any KeptChanges)? = nil, marks: FavouriteMarks = FavouriteMarks(),
    data: KeptData? = nil, didLogIn: @escaping @Sendable () -> Void = {}
  ) {
    self.client = client
    self.session = session
    self.tags = tags
    self.responses = responses
    self.prompt = prompt
    self.changes = changes
    self.marks = marks
    self.data = data
    self.didLogIn = didLogIn
  }

  /// Declares login, logout, the end of a session, favourites, visits and notes.
  package func declare(into table: inout RouteTable) {
    let members = Members(client: client, session: session, changes: changes, didLogIn: didLogIn)
    let favourites = Favourites(members: members, changes: changes, marks: marks)
    table.screen(LoginRoute.self, style: .present) { [prompt] _, _, handle in
      LoginScreen(prompt: prompt, members: members, handle: handle).started()
    }
    table.action(WelcomeRoute.self) { [session] route, context in
      if session.name == nil, try await !context.call(LoginRoute()) { return false }
      // With the permissions of the link, so that it opens nothing that the link itself may not open.
      if let next = route.next { try await context.forward(next) }
      return true
    }
    table.action(LogoutRoute.self) { [session, changes, responses, marks, data] _, context in
      let member = session.name
      let hadSession = session.end()
      if let member { await responses.remove(member: member) }
      await changes?.update()
      await marks.removeAll()
      // Other modules drop what belongs to the user.
      if hadSession { await context.mediator.deliver(.logout, limit: .seconds(5)) }
      // At the end, because a file that can't be deleted is an error that the user sees.
      if let member { try await data?.remove(member: member) }
      return hadSession
    }
    table.action(ExpireSessionRoute.self) { [session] _, _ in session.invalidateToken(isForgotten: false) }
    table.action(ForgetSessionRoute.self) { [session] _, _ in session.invalidateToken(isForgotten: true) }
    table.screen(FavouritesRoute.self, style: .tab("members")) { [tags] _, _ in
      // Before the list is loaded, so that no change of it is missed.
      let changes = tags.invalidations(of: [.favourites])
      let list = try await favourites.list()
      return FavouritesScreen(list.known, waiting: list.waiting, changes: changes)
    }
    table.action(AddFavouriteRoute.self) { [tags] route, _ in
      try await tags.mutation(of: [.favourites]) { try await favourites.add(route.home) }
    }
    table.action(CancelFavouriteRoute.self) { route, _ in try await favourites.cancel(route.home) }
    table.action(VisitRoute.self) { _, _ in try await members.visit() }
    // The detail of the home has the number of notes, so that the stored one is stale.
    let notes = KeptNotes(data)
    table.action(NoteRoute.self) { [tags] route, _ in
      try await tags.mutation(of: [.home(route.home)]) {
        try await notes.send(route.text, about: route.home) {
          try await members.leave(note: route.text, about: route.home)
        }
      }
    }
    table.action(WriteNoteRoute.self) { route, context in
      try await context.call(NoteRoute(home: route.home, text: route.text))
    }
  }
}
