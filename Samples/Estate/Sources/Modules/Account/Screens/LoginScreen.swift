import APIManagers
import Navigation
import Screens

/// The login screen; its result is whether a member is logged in.
struct LoginScreen: ContentScreen {
  let content = ScreenContent(
    title: "Login",
    blocks: [.text("This is for members; the server knows who you are by name and password.")])
  let prompt: any CredentialPrompt
  let members: Members
  let handle: ScreenHandle<Bool>

  /// Starts the prompt, which runs while the screen is shown.
  func started() -> LoginScreen {
    Task {
      guard let credentials = await prompt.credentials() else { return handle.finish(false) }
      do {
        try await members.logIn(credentials)
        return handle.finish(true)
      } catch {
        return handle.fail(error)
      }
    }
    return self
  }
}
