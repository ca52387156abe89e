import Testing
import ToolCommands

@Suite struct InkTests {
  @Test(
    "Colours follow --color, then NO_COLOR, then CLICOLOR_FORCE, then the terminal",
    arguments: [(ColorChoice, Bool, [String: String], Bool)]([
      (.auto, true, [:], true), (.auto, false, [:], false),
      (.auto, true, ["NO_COLOR": "1"], false), (.auto, true, ["NO_COLOR": ""], true),
      (.auto, true, ["TERM": "dumb"], false), (.auto, true, ["CLICOLOR": "0"], false),
      (.auto, false, ["CLICOLOR_FORCE": "1"], true), (.auto, false, ["CLICOLOR_FORCE": "0"], false),
      (.auto, true, ["CLICOLOR_FORCE": "1", "TERM": "dumb"], true),
      (.auto, true, ["CLICOLOR_FORCE": "1", "NO_COLOR": "1"], false),
      (.always, false, ["NO_COLOR": "1", "TERM": "dumb"], true),
      (.never, true, ["CLICOLOR_FORCE": "1"], false),
    ]))
  func choices(choice: ColorChoice, isTerminal: Bool, environment: [String: String], isOn: Bool) {
    #expect(Ink(choice, isTerminal: isTerminal, environment: environment).isOn == isOn)
  }
}
