/* Agents. The tests open each number. A function tells the agent that its thread has selected. */
#include "standin.h"

static _Thread_local uint32_t selected;
static uint32_t last_agent = 6;

uint32_t msdk_agent_open(uint32_t command, const char *config, number_cb callback) {
  (void)config;
  callback(command, 0, __atomic_add_fetch(&last_agent, 1, __ATOMIC_SEQ_CST));
  return 0;
}

uint32_t msdk_agent_select(uint32_t agent) {
  if (agent > __atomic_load_n(&last_agent, __ATOMIC_SEQ_CST)) return fail(1048, "no open agent has the handle");
  selected = agent;
  return 0;
}

uint32_t msdk_agent_close(uint32_t command, uint32_t agent, void_cb callback) {
  callback(command, agent == 0 || selected != 0 ? 1048 : 0);
  return 0;
}

uint32_t selected_agent(void) { return selected; }

uint32_t vcx_create_pairwise_agent(uint32_t command, string_cb callback) {
  char text[32];
  snprintf(text, sizeof text, "{\"agent\":\"%u\"}", selected);
  callback(command, 0, text);
  return 0;
}

uint32_t vcx_update_institution_info(const char *name, const char *logo_url) {
  (void)logo_url;
  return (uint32_t)atoi(name) == selected ? 0 : fail(1001, "another agent is selected");
}
